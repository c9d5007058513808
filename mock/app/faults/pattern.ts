import { contract } from '../../../schemas/contract.ts'
import type { ValueType } from './values.ts'

const expression = /^\/(.+)\/([imsuv]*)$/s

/** Whether a statement is one of those that a fault is for. */
export type Matches = (statement: string) => boolean

/**
 * The statements that `on` names: `*`, a view ({@link wholeWords}) or a regular expression. Undefined for a text that is none of these.
 */
export function readPattern(text: string): Matches | undefined {
  if (text === '*') return () => true
  if (contract.views.includes(text as never)) return wholeWords(text)
  const [, source, flags] = expression.exec(text) ?? []
  if (source === undefined) return undefined
  try {
    return matching(new RegExp(source, flags))
  } catch {
    return undefined
  }
}

/** Whether a statement has this text in whole words, capitals aside: `v_timeseries` is not in `v_timeseries_data`. */
export function wholeWords(text: string): Matches {
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const [start, end] = [/^\w/.test(text) ? '\\b' : '', /\w$/.test(text) ? '\\b' : '']
  return matching(new RegExp(start + literal + end, 'i'))
}

const matching =
  (pattern: RegExp): Matches =>
  (statement) =>
    pattern.test(statement)

/** A regular expression as it is written in text; where it was last found does not matter here. */
export const patternText = (pattern: string | RegExp): string =>
  typeof pattern === 'string' ? pattern : `/${pattern.source}/${pattern.flags.replaceAll(/[dgy]/g, '')}`

export const pattern: ValueType<string> = {
  read: (text) => (readPattern(text) ? text : undefined),
  write: (text) => text,
  accepts: (value) => typeof value === 'string' && readPattern(value) !== undefined,
  expects: `*, a regular expression as /join/i, or one of the views: ${contract.views.join(', ')}`,
}
