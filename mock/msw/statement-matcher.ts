import { type Matches, statementsWith, wordsProblem } from '../app/faults/words.ts'
import { MockError } from './options.ts'

/**
 * The statements that a test means: by a RegExp, or by a text that means the same as in a stub.
 *
 * @throws MockError for anything else, an empty text or one that is too long
 */
export function statementMatcher(match: string | RegExp): Matches {
  // unlike test(), search() does not continue at the last match of a global expression
  if (match instanceof RegExp) return (statement) => statement.search(match) >= 0
  if (typeof match !== 'string' || match.trim() === '')
    throw new MockError(
      `${JSON.stringify(match)} names no statements. Give the name of a view, * or a RegExp.`,
    )
  const problem = wordsProblem(match)
  if (problem !== undefined) throw new MockError(problem)
  return statementsWith(match)
}
