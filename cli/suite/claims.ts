import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  badgesOf,
  claimOf,
  claimsHtml,
  claimsMarkdown,
  newest,
  parseBaseUrl,
  parseClaim,
  readReport,
} from '../../conformance/index.ts'
import { makeFolder } from '../../base/files/make-folder.ts'
import type { ConformanceClaim, ConformanceReport } from '../../schemas/index.ts'
import { CommandError, EXIT } from '../exit.ts'
import { readInput } from '../files/input-file.ts'
import { openFile, replaceOutput, writing } from '../files/output-file.ts'
import { say } from '../output/log.ts'

const FORMATS = { markdown: claimsMarkdown, html: claimsHtml }

export interface MatrixOptions {
  format: keyof typeof FORMATS
  out: string
  /** Folder of the badges. */
  badges?: string
  /** Folder of the reports that the claims are compared with. */
  verify?: string
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The text of a claim; without a name, the service is called as its host. */
export const claimText = (report: ConformanceReport, name: string | undefined): string =>
  json(claimOf(report, name ?? new URL(parseBaseUrl(report.target.baseUrl)).host))

/**
 * Writes the table of a folder of claims, and the badges. A file that is no claim is named, and the others are written.
 *
 * @throws CommandError if the folder has no claim, or a file cannot be written
 */
export function writeMatrix(folder: string, { format, out, badges, verify }: MatrixOptions): void {
  const { claims, problems } = claimsIn(folder)
  if (verify !== undefined) problems.push(...unproven(claims, verify))
  for (const problem of problems) say(problem)
  if (problems.length > 0) process.exitCode = EXIT.failed
  if (claims.length === 0)
    throw new CommandError(
      `${folder} holds no claim. Name a folder of files that conformance --claim wrote.`,
      EXIT.usage,
    )
  if (badges !== undefined) {
    writing('folder of badges', badges, EXIT.failed, () => makeFolder(badges))
    for (const [name, badge] of badgesOf(claims))
      replaceOutput('badge', join(badges, `${name}.json`), json(badge))
  }
  openFile(out).write(FORMATS[format](claims))
}

/** The newest claim of each service, and a sentence for each file that is no claim. */
function claimsIn(folder: string): { claims: ConformanceClaim[]; problems: string[] } {
  const claims: ConformanceClaim[] = []
  const problems: string[] = []
  for (const file of filesIn(folder))
    try {
      claims.push(parseClaim(readInput('claim', file), file))
    } catch (error) {
      problems.push((error as Error).message)
    }
  return { claims: newest(claims), problems }
}

/** A sentence for each claim that is not the summary of a report in the folder. */
function unproven(claims: readonly ConformanceClaim[], folder: string): string[] {
  const reports = filesIn(folder).flatMap((file) => {
    try {
      return [{ file, report: readReport(readInput('report', file), file) }]
    } catch {
      // another file, such as a claim
      return []
    }
  })
  return claims.flatMap((claim) => {
    const own = reports.flatMap(({ file, report }) => {
      const derived = claimOf(report, claim.target)
      return derived.reportHash === claim.reportHash ? [{ file, derived }] : []
    })[0]
    if (!own)
      return `The claim of ${claim.target} is not proven: ${folder} has no report with its hash. Keep the file of --report json=FILE from the run that wrote the claim.`
    const { $schema: _, ...told } = claim
    const names = Object.keys({ ...told, ...own.derived }) as (keyof typeof told)[]
    const other = names.filter((name) => !isDeepStrictEqual(told[name], own.derived[name]))
    return other.length === 0
      ? []
      : `The claim of ${claim.target} differs from its report ${own.file}: ${other.join(', ')}. Write it again with conformance --claim.`
  })
}

/** The JSON files of a folder; none if it does not exist. */
function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    return names.toSorted().map((name) => join(folder, name))
  } catch {
    return []
  }
}
