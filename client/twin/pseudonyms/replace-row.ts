import { contract, isIso8601, type ViewName } from '../../../schemas/index.ts'
import type { Pseudonyms } from './pseudonyms.ts'
import { keptKeys, rules, type Treatment } from './rules.ts'

/** The functions of documented formula expressions. */
const functions = new Set(contract.formulaExpressions.join(' ').match(/[a-z_]+(?=\()/g))

/** A row with pseudonyms, by {@link rules}. Keys of objects stay; a column without a rule loses its texts. */
export function replaceRow(
  view: ViewName,
  row: Readonly<Record<string, unknown>>,
  pseudonyms: Pseudonyms,
): Record<string, unknown> {
  const treatments = rules[view] as Readonly<Record<string, Treatment | undefined>>
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      replaceValue(value, treatments[column] ?? 'inside', pseudonyms),
    ]),
  )
}

function replaceValue(value: unknown, treatment: Treatment, pseudonyms: Pseudonyms): unknown {
  if (treatment === 'kept') return value
  if (typeof value !== 'string') return typeof value === 'object' ? replaceInside(value, pseudonyms) : value
  switch (treatment) {
    case 'replaced':
      return pseudonyms.of(value)
    case 'value':
      return isNumber(value) || isTime(value) ? value : pseudonyms.of(value)
    case 'formula':
      return isDocumentedFormula(value) ? value : pseudonyms.of(value)
    case 'inside':
      return isTime(value) ? value : pseudonyms.of(value)
  }
}

/** Replaces the texts at any depth, except those under {@link keptKeys}. */
function replaceInside(value: object | null, pseudonyms: Pseudonyms): unknown {
  if (value === null) return null
  if (Array.isArray(value)) return value.map((item: unknown) => replaceValue(item, 'inside', pseudonyms))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [
      key,
      typeof item === 'string' && keptKeys.includes(key) ? item : replaceValue(item, 'inside', pseudonyms),
    ]),
  )
}

/** A time with hyphens: `20250301` may be an id. */
const isTime = (text: string): boolean => /^\d{4}-/.test(text) && isIso8601(text)

const isNumber = (text: string): boolean => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)

/** Letters for quantities, numbers, operators, brackets and the documented functions. */
function isDocumentedFormula(text: string): boolean {
  const words = text.match(/[A-Za-z_]\w*/g) ?? []
  return /^[\w\s()+\-*/.,]*$/.test(text) && words.every((word) => /^[A-Z]$/.test(word) || functions.has(word))
}
