import { contract } from '../../../schemas/contract.ts'

const expression = /^\/(.+)\/([imsuv]*)$/s

/** Whether a statement is one that a fault is for. */
export type Matches = (statement: string) => boolean

/** A regular expression looks at this many characters of a statement: backtracking grows with their number. */
const longestMatched = 2000

/**
 * The statements that `on` names: `*`, a view ({@link wholeWords}) or a regular expression.
 *
 * @throws SyntaxError for a regular expression that does not compile
 */
export function readPattern(text: string): Matches {
  const [, source, flags] = expression.exec(text) ?? []
  if (source === undefined) return text === '*' ? () => true : wholeWords(text)
  const pattern = new RegExp(source, flags)
  return (statement) => pattern.test(statement.slice(0, longestMatched))
}

/** Why a text names no statements, as a sentence with the remedy; undefined if it does. */
export function patternProblem(text: string): string | undefined {
  if (text === '*' || contract.views.includes(text as never)) return undefined
  try {
    if (!expression.test(text)) throw new SyntaxError()
    readPattern(text)
  } catch {
    return `Write *, a regular expression such as /join/i, or one of the views: ${contract.views.join(', ')}.`
  }
  return repeatsRepetition(text)
    ? 'It repeats a group that contains a repetition or a choice, which can take forever on some statements. Write it without, such as /a+/ for /(a+)+/ or /[ab]*/ for /(a|b)*/.'
    : undefined
}

/** Whether a group with `*`, `+`, `{` or `|` in it is repeated: such an expression may take exponential time. */
function repeatsRepetition(source: string): boolean {
  const plain = source.replaceAll(/\\./gs, '_').replaceAll(/\[[^\]]*\]/g, '_')
  const group = /\((?:\?(?:<?[=!:]|<\w+>))?([^()]*)\)([*+]|\{\d+,?\d*\})?/
  // the innermost groups first; a group leaves a sign of what is in it
  for (let rest = plain, found; (found = group.exec(rest));) {
    const [whole, inner = '', repetition] = found
    const isVariable = /[*+{|]/.test(inner)
    if (isVariable && repetition) return true
    rest = rest.replace(whole, () => (isVariable || repetition ? '+' : '_'))
  }
  return false
}

/** Whether a statement has this text in whole words, ignoring case: `v_timeseries` is not in `v_timeseries_data`. */
export function wholeWords(text: string): Matches {
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const [start, end] = [/^\w/.test(text) ? '\\b' : '', /\w$/.test(text) ? '\\b' : '']
  const pattern = new RegExp(start + literal + end, 'i')
  return (statement) => pattern.test(statement)
}

/** A regular expression as text, without the flags that only matter for repeated matching. */
export const patternText = ({ source, flags }: RegExp): string =>
  `/${source}/${flags.replaceAll(/[dgy]/g, '')}`
