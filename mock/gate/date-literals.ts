import type { SqlRules } from '../engine/engine.ts'
import { type Fields, fieldsOf, namesOf } from './syntax-tree.ts'

/** A way to spell a date, or `other`. */
export type DateSpelling = Exclude<SqlRules['dates'], 'all'> | 'other'

const texts: readonly (readonly [DateSpelling, RegExp])[] = [
  ['quoted-date', /^\d{4}-\d\d-\d\d$/],
  ['iso-date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d/],
  ['space-date-time', /^\d{4}-\d\d-\d\d \d\d:\d\d/],
]

const keywords: Readonly<Record<string, DateSpelling>> = {
  date: 'date-keyword',
  timestamp: 'timestamp-keyword',
}

/** How a literal spells a date; undefined for what is no literal. */
export function dateSpelling(value: unknown): DateSpelling | undefined {
  const cast = fieldsOf(value, 'TypeCast')
  const text = fieldsOf(cast ? cast['arg'] : value, 'A_Const')?.['sval'] as Fields | undefined
  if (text === undefined) return undefined
  if (cast) return keywords[namesOf((cast['typeName'] as Fields)['names']).at(-1) ?? ''] ?? 'other'
  return texts.find(([, pattern]) => pattern.test(String(text['sval'])))?.[0] ?? 'other'
}
