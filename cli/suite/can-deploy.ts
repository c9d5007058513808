import { deployProblems, type HabitReport } from '../../client/conformance/index.ts'
import { profileOf } from '../../conformance/index.ts'
import { findOpenPoint, type ConformanceReport } from '../../schemas/index.ts'
import { CommandError, EXIT } from '../exit.ts'
import { readJsonObject } from '../options/config.ts'
import { say } from '../output/log.ts'
import { readSuiteReport } from './compare-reports.ts'
import { contradictionsOf } from './contradictions.ts'

/**
 * Prints whether each client works with each service, and why not; sets the exit code.
 *
 * @throws CommandError for a file that is no report, and an unknown open point
 */
export function canDeploy(
  clientFiles: readonly string[],
  serviceFiles: readonly string[],
  accepted: readonly string[] = [],
): void {
  const unknown = accepted.find((id) => findOpenPoint(id)?.id !== id)
  if (unknown !== undefined)
    throw new CommandError(`There is no open point "${unknown}". Take an id such as rows.shape.`, EXIT.usage)
  const clients = clientFiles.map((name) => ({ name, client: habitReport(name) }))
  const services = serviceFiles.map((name) => ({ name, service: readSuiteReport(name) }))
  for (const { name, client } of clients)
    for (const { name: of, service } of services) {
      const reasons = [
        ...problemsBetween(client, service),
        ...deployProblems(client, profileOf(service), accepted),
      ]
      say(`${reasons.length === 0 ? 'yes' : 'no'}: ${name} with ${of}`)
      for (const reason of reasons) say(`  ${reason}`)
      for (const { id, waiver } of service.checks)
        if (waiver) say(`  accepted of the service: ${id}, ${waiver.reason}`)
      if (reasons.length > 0) process.exitCode = EXIT.failed
    }
}

function problemsBetween(client: HabitReport, service: ConformanceReport): string[] {
  const isConformant = ['conformant', 'conformant-with-waivers'].includes(service.verdict)
  const hasEnded = client.verdict === 'passed' || client.verdict === 'stopped'
  return [
    ...(isConformant ? [] : [`the service is ${service.verdict}: ${service.reasons.join('; ')}`]),
    ...contradictionsOf(service),
    ...(hasEnded ? [] : ['the run of the client did not end, or met no habit']),
    ...(client.contract === service.contract.version
      ? []
      : [
          `the client was tested with contract ${client.contract}, the service with ${service.contract.version}`,
        ]),
  ]
}

function habitReport(file: string): HabitReport {
  const report = readJsonObject(file, 'report of a client') as Partial<HabitReport>
  const ids = Array.isArray(report.results) ? report.results.map(({ id }) => id) : undefined
  if (!ids || new Set(ids).size < ids.length || !Array.isArray(report.plain?.findings))
    throw new CommandError(
      `${file} is not a report of a client. Name a file that exec --habits --report json=FILE wrote.`,
      EXIT.usage,
    )
  return report as HabitReport
}
