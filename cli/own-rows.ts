import type { Dataset } from '../fixtures/index.ts'
import type { Problem } from '../fixtures/import/index.ts'
import { CommandError } from './exit.ts'

/** So many refused rows are listed where they stop the start; who mends those sees the next ones. */
const listed = 20

/** What the embedded database takes in a few minutes: as much as the largest plant it serves. */
const mostRows = 3_000_000

/**
 * The rows of a folder, for a server. What is refused is named with file, line and reason.
 *
 * @throws CommandError when rows are refused and are not to be skipped
 */
export async function readOwnRows(
  dir: string,
  { skipInvalid = false }: { skipInvalid?: boolean },
  say: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Promise<Dataset> {
  const { importDirectory } = await import('../fixtures/import/index.ts')
  let shown = 0
  const onProblem = ({ file, line, reason }: Problem) => {
    if (skipInvalid || shown++ < listed) say(`${file}${line > 0 ? `:${line}` : ''}: ${reason}`)
  }
  const { dataset, rows, refused, warnings } = await importDirectory(dir, { onProblem, mostRows })
  for (const warning of warnings) say(`warning: ${warning}`)
  if (refused > 0 && !skipInvalid) {
    const more = refused > listed ? `${refused - listed} more are not listed. ` : ''
    throw new CommandError(
      `${refused} rows or files of ${dir} are refused. ${more}Mend them, or start without them: --skip-invalid.`,
    )
  }
  const counts = Object.values(rows)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const empty = counts.filter((count) => count === 0).length
  say(`Read ${total} rows from ${dir}${empty > 0 ? `; ${empty} of ${counts.length} views are empty` : ''}.`)
  return dataset
}
