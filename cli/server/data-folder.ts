import { counted } from '../../base/text/counted.ts'
import type { Dataset } from '../../fixtures/index.ts'
import type { Problem } from '../../fixtures/import/index.ts'
import { CommandError } from '../exit.ts'

/** Rejected rows to list before a failed start. */
const mostListed = 20

/**
 * Reads the rows of `--data` and prints the file, line and reason of each rejected row.
 *
 * @throws CommandError if rows are rejected and `skipInvalid` is not set
 */
export async function readDataFolder(
  dir: string,
  { skipInvalid = false }: { skipInvalid?: boolean },
  say: (line: string) => void,
): Promise<Dataset> {
  const { importDirectory } = await import('../../fixtures/import/index.ts')
  let shown = 0
  const onProblem = ({ file, line, reason }: Problem) => {
    if (skipInvalid || shown++ < mostListed) say(`${file}${line > 0 ? `:${line}` : ''}: ${reason}`)
  }
  const { dataset, rows, refused, warnings } = await importDirectory(dir, { onProblem })
  for (const warning of warnings) say(`warning: ${warning}`)
  if (refused > 0 && !skipInvalid) {
    const more = refused > mostListed ? `; ${refused - mostListed} of them are not listed` : ''
    throw new CommandError(
      `Rejected ${refused} rows or files of ${dir}${more}. Correct them, or skip them with --skip-invalid.`,
    )
  }
  const counts = Object.values(rows)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const empty = counts.filter((count) => count === 0).length
  say(
    `Read ${counted(total, 'row')} from ${dir}${empty > 0 ? `; ${empty} of ${counts.length} views are empty` : ''}.`,
  )
  return dataset
}

/** Whether a folder was written by `record`. */
export async function isRecording(dir: string): Promise<boolean> {
  const { readRecording } = await import('../../fixtures/import/recording.ts')
  return (await readRecording(dir)) !== undefined
}
