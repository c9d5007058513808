import { Command } from 'commander'
import type { InvariantFinding } from '../../invariants/index.ts'
import { CommandError, EXIT } from '../exit.ts'
import { printableLine } from '../../base/text/printable.ts'

const EXIT_CODES = `
Exit codes: 0 valid, 1 a file or an invariant is violated, 2 no folder or no
manifest, 3 the files match, but the invariants cannot be checked.`

/** Problems of a row to print. */
const mostProblems = 3

export const verifyCommand = () =>
  new Command('verify')
    .description('Compare exported files with their manifest and check the invariants of their rows.')
    .argument('<dir>', 'a folder that `fixtures export` wrote')
    .addHelpText('after', EXIT_CODES)
    .action(async (dir) => {
      const { verifyExport, VerifyError } = await import('../../fixtures/verify/verify-export.ts')
      const { textOf } = await import('../../invariants/index.ts')
      const { problems, rows, findings } = await verifyExport(dir).catch((error: unknown) => {
        throw error instanceof VerifyError ? new CommandError(error.message, EXIT.usage) : error
      })
      const violated = (findings ?? []).filter(({ violations }) => violations > 0)
      for (const problem of problems) print(`✗ ${problem}`)
      for (const { id, title, violations, judged, examples } of violated) {
        print(`✗ ${id}  ${title}: ${violations} of ${judged} violate it`)
        for (const { view, row, problems } of examples)
          print(
            `    ${view} ${row}: ${problems
              .slice(0, mostProblems)
              .map((problem) => textOf(problem))
              .join(' ')}`,
          )
      }
      print(`${dir}: ${summaryOf(problems.length, rows, findings)}`)
      if (problems.length > 0 || violated.length > 0) process.exitCode = EXIT.failed
      else if (!findings) process.exitCode = EXIT.incomplete
    })

const print = (line: string) => process.stdout.write(`${printableLine(line)}\n`)

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function summaryOf(problems: number, rows: number, findings: InvariantFinding[] | undefined): string {
  const files =
    problems === 0 ? 'the files match the manifest' : `${counted(problems, 'problem')} with the files`
  if (!findings)
    return `${files}; the invariants were not checked, because SQL files cannot be read back. Export as ndjson, csv or parquet.`
  const violated = findings.filter(({ violations }) => violations > 0)
  const idle = findings.filter(({ judged }) => judged === 0).map(({ id }) => id)
  const held = findings.length - violated.length - idle.length
  const unchecked = idle.length > 0 ? `, ${idle.length} not applicable (${idle.join(', ')})` : ''
  return `${counted(rows, 'row')}; ${files}; invariants: ${held} hold, ${violated.length} violated${unchecked}.`
}
