import { type HabitReport, deployProblems } from '../../client/conformance/index.ts'
import { profileOf } from '../../conformance/index.ts'
import { findOpenPoint } from '../../schemas/index.ts'
import { CommandError, EXIT } from '../exit.ts'
import { readJsonObject } from '../options/config.ts'
import { say } from '../output/log.ts'
import { readSuiteReport } from './compare-reports.ts'

/**
 * Prints whether a client works with each service, and why not; sets the exit code.
 *
 * @throws CommandError for a file that is no report, and an unknown open point
 */
export function canDeploy(
  clientFile: string,
  serviceFiles: readonly string[],
  accepted: readonly string[] = [],
): void {
  const unknown = accepted.find((id) => findOpenPoint(id)?.id !== id)
  if (unknown !== undefined)
    throw new CommandError(`There is no open point "${unknown}". Take an id such as rows.shape.`, EXIT.usage)
  const client = habitReport(clientFile)
  for (const file of serviceFiles) {
    const report = readSuiteReport(file)
    const isConformant = report.verdict === 'conformant' || report.verdict === 'conformant-with-waivers'
    const reasons = [
      ...(isConformant ? [] : [`the service is ${report.verdict}: ${report.reasons.join('; ')}`]),
      ...(client.verdict === 'incomplete' ? ['the run of the client did not end, or met no habit'] : []),
      ...deployProblems(client, profileOf(report), accepted),
    ]
    say(`${reasons.length === 0 ? 'yes' : 'no'}: ${clientFile} with ${file}`)
    for (const reason of reasons) say(`  ${reason}`)
    if (reasons.length > 0) process.exitCode = EXIT.failed
  }
}

function habitReport(file: string): HabitReport {
  const report = readJsonObject(file, 'report of a client') as Partial<HabitReport>
  if (!Array.isArray(report.results) || !Array.isArray(report.plain?.findings))
    throw new CommandError(
      `${file} is not a report of a client. Name a file that exec --habits --report json=FILE wrote.`,
      EXIT.usage,
    )
  return report as HabitReport
}
