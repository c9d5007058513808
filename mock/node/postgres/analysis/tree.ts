import { insufficientPrivilege, SqlError } from '../../../statement.ts'
import type { Catalogue } from './catalogue.ts'

/**
 * Fields of nodes in PostgreSQL's print of a tree, such as `{FUNCEXPR :funcid 2331 :funcresulttype 25 ...`. In names and texts of a
 * client, a backslash precedes each space, so that none of them looks like a field.
 */
/** 0 stands for none. */
const relationField = /:relid[ \n]+([1-9]\d*)/g
const functionField =
  /:(?:funcid|opfuncid|aggfnoid|winfnoid|startInRangeFunc|endInRangeFunc|tsmhandler)[ \n]+([1-9]\d*)/g
/** One type or a list: `:consttype 25`, `:funccoltypes (o 25 23)`; not `:consttypmod 68`. */
const typeField = /:(?!\w*typmod)\w*typ\w*[ \n]+(?:\(o[ \n])?([\d \n]+)/gi
/** CURRENT_DATE and the like; above 8, those that tell of the session, such as CURRENT_USER. */
const keywordField = /\{SQLVALUEFUNCTION[ \n]+:op[ \n]+(\d+)/g
const lastClock = 8
/**
 * Types that look names up where nothing is looked up: what pg_typeof gives, a text search configuration or dictionary of PostgreSQL
 * itself as a constant, such as 'english', and the columns of a subquery that have such values. A constant is a number:
 * those of others begin at 16384.
 */
const harmlessTypes =
  /:funcid[ \n]+1619[ \n]+:funcresulttype[ \n]+2206\b|:vartype[ \n]+(?:2206|3734|3769)\b|:consttype[ \n]+(?:3734|3769)\b(?=[^{}]*:constvalue[ \n]+4[ \n]+\[[ \n]+-?\d+[ \n]+(?:[0-5]?\d|6[0-3])[ \n]+0[ \n]+0[ \n]+\])/g

export const denied = (what: string): SqlError =>
  new SqlError('other', `permission denied for ${what}`, insufficientPrivilege)

/**
 * Checks that a query reads the views alone, and calls what it may.
 *
 * @param tree of the query, before it is rewritten or planned, as PostgreSQL prints it
 * @returns the names of the views that it reads
 * @throws SqlError for the first thing that it may not use
 */
export function viewsRead(tree: string, catalogue: Catalogue): readonly string[] {
  const { views, relations, callable, functions, populating, lookups } = catalogue
  const read = [...tree.matchAll(relationField)].map(([, oid]) => {
    const view = views[oid!]
    if (view === undefined) throw denied(`table ${relations[oid!] ?? oid}`)
    return view
  })
  let typed = tree.replaceAll(harmlessTypes, '')
  for (const [, oid] of tree.matchAll(functionField)) {
    if (callable[oid!] === undefined) throw denied(`function ${functions[oid!] ?? oid}`)
    if (populating[oid!] !== undefined) typed = tree
  }
  for (const [, oids] of typed.matchAll(typeField))
    for (const oid of oids!.trim().split(/\s+/))
      if (lookups[oid] !== undefined) throw denied(`type ${lookups[oid]}`)
  for (const [, op] of tree.matchAll(keywordField))
    if (Number(op) > lastClock) throw denied('CURRENT_USER and other words for the session')
  return read
}
