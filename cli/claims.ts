import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  badgeOf,
  claimOf,
  claimsHtml,
  claimsMarkdown,
  fileNameOf,
  newest,
  parseBaseUrl,
  parseClaim,
} from '../conformance/index.ts'
import type { ConformanceReport } from '../schemas/index.ts'
import { CommandError, EXIT } from './exit.ts'
import { readInput } from './input-file.ts'
import { openFile, replaceOutput, writing } from './output/files.ts'

const FORMATS = { markdown: claimsMarkdown, html: claimsHtml }

export interface MatrixOptions {
  format: keyof typeof FORMATS
  out: string
  /** Folder of the badges. */
  badges?: string
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The text of a claim; without a name, the service is called as its host. */
export const claimText = (report: ConformanceReport, name: string | undefined): string =>
  json(claimOf(report, name ?? new URL(parseBaseUrl(report.target.baseUrl)).host))

/**
 * Writes the table of a folder of claims, and the badges.
 *
 * @throws CommandError if the folder has no claim, or a file cannot be written; UsageError for a file that is no claim
 */
export function writeMatrix(folder: string, { format, out, badges }: MatrixOptions): void {
  const claims = newest(filesOf(folder).map((file) => parseClaim(readInput('claim', file), file)))
  if (badges !== undefined) {
    writing('folder of badges', badges, EXIT.failed, () => mkdirSync(badges, { recursive: true }))
    for (const claim of claims)
      replaceOutput('badge', join(badges, `${fileNameOf(claim.target)}.json`), json(badgeOf(claim)))
  }
  const file = openFile(out)
  file.write(FORMATS[format](claims))
  file.close()
}

function filesOf(folder: string): string[] {
  let names: string[] = []
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch {
    // reported below
  }
  if (names.length === 0)
    throw new CommandError(
      `${folder} holds no claim. Name a folder of files that conformance --claim wrote.`,
      EXIT.usage,
    )
  return names.toSorted().map((name) => join(folder, name))
}
