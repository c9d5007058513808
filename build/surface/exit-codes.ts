import { EXIT, explain } from '../../cli/exit.ts'
import { program } from '../../cli/program.ts'
import { exitCodeOf } from '../../conformance/run/verdict.ts'
import report from '../../schemas/report.schema.json' with { type: 'json' }
import type { Verdict } from '../../schemas/index.ts'
import { line } from './line.ts'

/** @param errors names of error classes */
export const exitLines = async (errors: readonly string[]): Promise<string[]> => [
  ...Object.entries(EXIT).map(([name, code]) => line(['exit', name], String(code))),
  ...(report.$defs.verdict.enum as Verdict[]).flatMap((verdict) => [
    line(['exit', 'conformance', verdict], String(exitCodeOf(verdict, false))),
    line(['exit', 'conformance --allow-incomplete', verdict], String(exitCodeOf(verdict, true))),
  ]),
  ...errors.flatMap((name) => {
    const { exitCode } = explain(Object.assign(new Error(''), { name }))
    return exitCode === EXIT.broken ? [] : [line(['exit', 'error', name], String(exitCode))]
  }),
  ...(await stated()),
]

/** What the help states: a line `  name  0 done, 1 failed` for each command; indented further, a line continues it. */
async function stated(): Promise<string[]> {
  let help = ''
  const root = await program()
  root.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  const section = /\nExit codes:\n((?: .*\n?)+)/.exec(help)?.[1]
  if (section === undefined)
    throw new Error('The help has no section "Exit codes:". Correct build/surface/exit-codes.ts.')
  return section
    .replaceAll(/\n {4,}/g, ' ')
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [name, meanings] = row.trim().split(/ {2,}/) as [string, string]
      return meanings.split(/, (?=\d)/).map((meaning) => line(['exit', 'stated', name], meaning))
    })
}
