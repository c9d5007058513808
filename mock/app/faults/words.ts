import { noView, views } from '../../../schemas/views.ts'

/** A text that names statements and is not the name of a view. One word that begins with `v_` is none: it is a misspelt view. */
export type OtherWords<Text extends string> = Text extends `v_${string}` ? WithSign<Text> : Text
type WithSign<Text> = Text extends `${string}${' ' | '.' | ','}${string}` ? Text : never

/** Most characters of a text that names statements. */
const longestText = 1000

/** The characters of a statement that are searched: to search 1 MiB for 1000 characters may take seconds. */
const longestSearched = 100_000

/** Whether a statement is one that a text names. */
export type Matches = (statement: string) => boolean

/**
 * The statements that have the words of a text next to each other, ignoring white space and case: `v_timeseries` is not in
 * `v_timeseries_data`. `*` stands for all statements.
 */
export function statementsWith(text: string): Matches {
  const words = wordsOf(text)
  return words === wordsOf('*') ? () => true : (statement) => wordsOf(statement).includes(words)
}

/** The words and other signs of a text in lower case, each between spaces. */
export const wordsOf = (text: string): string =>
  ` ${text
    .slice(0, longestSearched)
    .toLowerCase()
    .match(/\w+|[^\w\s]/g)
    ?.join(' ')} `

/** Why a text names no statements, as a sentence with the remedy; undefined if it does. */
export function wordsProblem(text: string): string | undefined {
  if (/^\/.+\/[a-z]*$/s.test(text))
    return 'A regular expression is not possible here. Write words of the statement, such as left join or the name of a view.'
  return text.length <= longestText
    ? viewProblem(text)
    : `It has more than ${longestText} characters. Write a shorter text, such as the name of a view.`
}

/** A view at the beginning of a text, or behind FROM or JOIN. */
const viewNames = /(?:^\s*|\b(?:from|join)\s+)"?(v_\w+)/gi

/**
 * Why no statement has the words of a text: it names a view with a spelling mistake; undefined if it does not. A name that begins
 * with `v_` elsewhere, or in a text with WITH, may be one that the statement gives itself.
 */
export function viewProblem(text: string): string | undefined {
  if (/\bwith\b/i.test(text)) return undefined
  const names = Array.from(text.matchAll(viewNames), ([, name]) => name!)
  const unknown = names.find((name) => !views.some((one) => one.name === name.toLowerCase()))
  return unknown && noView(unknown)
}
