import { isDeepStrictEqual } from 'node:util'
import { claimOf, readReport } from '../../conformance/index.ts'
import type { ConformanceClaim, ConformanceReport } from '../../schemas/index.ts'
import { jsonFilesIn, readInput } from '../files/input-file.ts'
import { contradictionsOf } from './contradictions.ts'

/** The claims that are the summary of a report in a folder, and a sentence for each of the others. */
export function provenBy(
  folder: string,
  claims: readonly ConformanceClaim[],
): { proven: ConformanceClaim[]; unproven: string[] } {
  const reports = reportsIn(folder)
  const problemOf = (claim: ConformanceClaim): string | undefined => {
    const { target, reportHash } = claim
    const [own] = reports
      .map(({ file, report }) => ({ file, report, derived: claimOf(report, target) }))
      .filter(({ derived }) => derived.reportHash === reportHash)
    if (!own)
      return `is not proven: ${folder} has no report with its hash. Keep the file of --report json=FILE from the run that wrote the claim.`
    // a report has no public name of its service
    const other = claims.find((one) => one.reportHash === reportHash && one.target !== target)
    if (other) return `has the report of ${other.target}. Judge each service on its own.`
    const [contradiction] = contradictionsOf(own.report)
    if (contradiction !== undefined) return `has a report that proves nothing: ${contradiction}.`
    const { $schema: _, ...told } = claim
    const names = Object.keys({ ...told, ...own.derived }) as (keyof typeof told)[]
    const differing = names.filter((name) => !isDeepStrictEqual(told[name], own.derived[name]))
    return differing.length === 0
      ? undefined
      : `differs from its report ${own.file}: ${differing.join(', ')}. Write it again with conformance --claim.`
  }
  const judged = claims.map((claim) => ({ claim, problem: problemOf(claim) }))
  return {
    proven: judged.filter(({ problem }) => problem === undefined).map(({ claim }) => claim),
    unproven: judged.flatMap(({ claim, problem }) =>
      problem === undefined ? [] : [`The claim of ${claim.target} (${claim.date}) ${problem}`],
    ),
  }
}

const reportsIn = (folder: string): { file: string; report: ConformanceReport }[] =>
  jsonFilesIn(folder).flatMap((file) => {
    try {
      return [{ file, report: readReport(readInput('report', file), file) }]
    } catch {
      // another file, such as a claim
      return []
    }
  })
