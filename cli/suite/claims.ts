import { join } from 'node:path'
import {
  badgesOf,
  claimOf,
  claimsHtml,
  claimsMarkdown,
  newest,
  parseBaseUrl,
  parseClaim,
} from '../../conformance/index.ts'
import { makeFolder } from '../../base/files/make-folder.ts'
import type { ConformanceClaim, ConformanceReport } from '../../schemas/index.ts'
import { CommandError, EXIT } from '../exit.ts'
import { jsonFilesIn, readInput } from '../files/input-file.ts'
import { openFile, replaceOutput, writing } from '../files/output-file.ts'
import { say } from '../output/log.ts'
import { provenBy } from './proven-claims.ts'

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
  const { claims: all, problems } = claimsIn(folder)
  if (all.length === 0) {
    for (const problem of problems) say(problem)
    throw new CommandError(
      `${folder} holds no claim. Name a folder of files that conformance --claim wrote.`,
      EXIT.usage,
    )
  }
  const { proven, unproven } = verify === undefined ? { proven: all, unproven: [] } : provenBy(verify, all)
  for (const problem of [...problems, ...unproven]) say(problem)
  if (problems.length + unproven.length > 0) process.exitCode = EXIT.failed
  const claims = newest(proven)
  if (badges !== undefined) {
    writing('folder of badges', badges, EXIT.failed, () => makeFolder(badges))
    for (const [name, badge] of badgesOf(claims))
      replaceOutput('badge', join(badges, `${name}.json`), json(badge))
  }
  openFile(out).write(FORMATS[format](claims))
}

/** The claims in a folder, and a sentence for each file that is none. */
function claimsIn(folder: string): { claims: ConformanceClaim[]; problems: string[] } {
  const claims: ConformanceClaim[] = []
  const problems: string[] = []
  for (const file of jsonFilesIn(folder))
    try {
      claims.push(parseClaim(readInput('claim', file), file))
    } catch (error) {
      problems.push((error as Error).message)
    }
  return { claims, problems }
}
