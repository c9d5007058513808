import { Command } from 'commander'
import type { InvariantFinding } from '../../invariants/index.ts'
import { CommandError, EXIT } from '../exit.ts'

const EXIT_CODES = `
Exit codes: 0 all is well, 1 a file or an invariant is broken, 2 no such folder, or no manifest in it.`

export const verifyCommand = (): Command =>
  new Command('verify')
    .description('Hold exported files against their manifest, and their rows against every invariant.')
    .argument('<dir>', 'a folder that `fixtures export` wrote')
    .addHelpText('after', EXIT_CODES)
    .action(async (dir: string) => {
      const { verifyExport, VerifyError } = await import('../../fixtures/verify/verify-export.ts')
      const { textOf } = await import('../../invariants/index.ts')
      const { problems, rows, findings } = await verifyExport(dir).catch((error: unknown) => {
        throw error instanceof VerifyError ? new CommandError(error.message, EXIT.usage) : error
      })
      const broken = (findings ?? []).filter(({ violations }) => violations > 0)
      for (const problem of problems) print(`✗ ${problem}`)
      for (const { id, title, violations, judged, examples } of broken) {
        print(`✗ ${id}  ${title}: broken by ${violations} of ${judged}`)
        for (const { view, row, problems: said } of examples)
          print(
            `    ${view} ${row}: ${said
              .slice(0, 3)
              .map((problem) => textOf(problem))
              .join(' ')}`,
          )
      }
      print(`${dir}: ${summaryOf(problems.length, rows, findings)}`)
      if (problems.length > 0 || broken.length > 0) process.exitCode = EXIT.failed
    })

const print = (line: string) => process.stdout.write(`${line}\n`)

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function summaryOf(problems: number, rows: number, findings: InvariantFinding[] | undefined): string {
  const files =
    problems === 0 ? 'the files are those of the manifest' : `${counted(problems, 'problem')} with files`
  if (!findings)
    return `${files}; their rows can not be read back, so no invariant was judged. Export as ndjson, csv or parquet for that.`
  const broken = findings.filter(({ violations }) => violations > 0)
  const idle = findings.filter(({ judged }) => judged === 0).map(({ id }) => id)
  const held = findings.length - broken.length - idle.length
  const nothing = idle.length > 0 ? `, ${idle.length} with nothing to judge (${idle.join(', ')})` : ''
  return `${counted(rows, 'row')}; ${files}; invariants: ${held} hold, ${broken.length} broken${nothing}.`
}
