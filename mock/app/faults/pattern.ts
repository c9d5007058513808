import { contract } from '../../../schemas/contract.ts'
import { linearPattern, PatternError } from './linear-pattern.ts'

const expression = /^\/(.+)\/([imsu]*)$/s

/** JavaScript fails to match some 50,000 characters, with the first statement. */
const longestText = 10_000

/** Whether a statement is one that a fault is for. */
export type Matches = (statement: string) => boolean

/** A regular expression looks at this many characters of a statement, so that it takes milliseconds. */
const longestMatched = 2000

/**
 * The statements that `on` names: `*`, a view ({@link wholeWords}) or a regular expression.
 *
 * @throws SyntaxError for a regular expression that is not valid, PatternError for one that takes too long
 */
export function readPattern(text: string): Matches {
  const [, source, flags = ''] = expression.exec(text) ?? []
  if (source === undefined) return text === '*' ? () => true : wholeWords(text)
  const pattern = linearPattern(source, flags)
  return (statement) => pattern(statement.slice(0, longestMatched))
}

/** Why a text names no statements, as a sentence with the remedy; undefined if it does. */
export function patternProblem(text: string): string | undefined {
  if (text === '*' || contract.views.includes(text as never)) return undefined
  try {
    if (!expression.test(text)) throw new SyntaxError()
    readPattern(text)
    return undefined
  } catch (error) {
    if (error instanceof PatternError) return error.message
    return `Write *, a regular expression such as /join/i, or one of the views: ${contract.views.join(', ')}.`
  }
}

/** The same for a text of any words, as {@link readPattern} reads it. */
export function textProblem(text: string): string | undefined {
  if (text.startsWith('/')) return patternProblem(text)
  return text.length <= longestText
    ? undefined
    : `It has more than ${longestText} characters. Write a shorter text, such as the name of a view.`
}

/** Whether a statement has this text in whole words, ignoring white space and case: `v_timeseries` is not in `v_timeseries_data`. */
function wholeWords(given: string): Matches {
  const text = given.trim()
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(/\s+/g, '\\s+')
  const [start, end] = [/^\w/.test(text) ? '\\b' : '', /\w$/.test(text) ? '\\b' : '']
  const pattern = new RegExp(start + literal + end, 'i')
  return (statement) => pattern.test(statement)
}

/** A regular expression as text, without the flags that only matter for repeated matching. */
export const patternText = ({ source, flags }: RegExp): string =>
  `/${source}/${flags.replaceAll(/[dgy]/g, '')}`
