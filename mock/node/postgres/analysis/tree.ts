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
  const { views, relations, callable, functions, lookups } = catalogue
  const read = [...tree.matchAll(relationField)].map(([, oid]) => {
    const view = views[oid!]
    if (view === undefined) throw denied(`table ${relations[oid!] ?? oid}`)
    return view
  })
  for (const [, oid] of tree.matchAll(functionField))
    if (callable[oid!] === undefined) throw denied(`function ${functions[oid!] ?? oid}`)
  for (const [, oids] of tree.matchAll(typeField))
    for (const oid of oids!.trim().split(/\s+/))
      if (lookups[oid] !== undefined) throw denied(`type ${lookups[oid]}`)
  for (const [, op] of tree.matchAll(keywordField))
    if (Number(op) > lastClock) throw denied('CURRENT_USER and other words for the session')
  return read
}
