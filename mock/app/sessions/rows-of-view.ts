import { views } from '../../../schemas/views.ts'
import { wordsOf } from '../faults/words.ts'
import { partProblem } from '../../rows/row-problems.ts'

/** What SQL reads as a value where a name stands. */
const values = 'null|true|false|current_\\w+|localtime\\w*|session_user|system_user|user'
const column = `(?:\\w+ \\. )?(?:\\*|(?!(?:${values}) )[a-z_]\\w*)`

/** The words of a statement that asks for columns of one view as they are: `SELECT id, f.name FROM v_formulas f WHERE ...`. */
const plain = new RegExp(
  `^ select (?:distinct )?(?:${column} , )*${column} from (?:public \\. )?(v_\\w+) (?:(?:as )?\\w+ )?(?:$|;|(?:where|order|limit|offset|fetch) )(?!.* select )`,
)

/**
 * Checks rows that a test prescribes for a view alone. A statement may give other rows by an alias, an expression or a join, so they
 * are only checked for one that asks for columns of the view as they are: then no service gives a column that the view has not, or a
 * value of another type.
 *
 * @returns why the rows are no answer to a statement; undefined if they may be one
 */
export function rowsOfView(
  match: unknown,
  rows: readonly object[] = [],
): (statement: string) => Promise<string | undefined> {
  const name = typeof match === 'string' && match.trim().toLowerCase()
  const view = views.find((one) => one.name === name)?.name
  if (view === undefined || rows.length === 0) return async () => undefined
  let problem: Promise<string | undefined> | undefined
  const find = async () => {
    const { validators } = await import('../../../schemas/generated/validators.ts')
    const isRow = validators[`views/${view}`]
    for (const [index, row] of rows.entries()) {
      const found = partProblem(isRow, view, index, row)
      if (found !== undefined)
        return `The rows for ${view} are not rows of it. Correct them, or match more of the statement, such as "from ${view}". ${found}`
    }
    return undefined
  }
  return async (statement) =>
    plain.exec(wordsOf(statement.replaceAll('"', '')))?.[1] === view ? (problem ??= find()) : undefined
}
