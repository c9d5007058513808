import { expect } from 'vitest'
import { runCli } from './cli.ts'
import { brokenVendor, startVendor, type Vendor, VENDOR_TOKEN } from './vendor.ts'

export interface BrokenVendor {
  readonly defect: string
  readonly file: string
  /** A line of the vendor's code, and what replaces it. */
  readonly line: string
  readonly replacement: string
  /** The requirement that the report must name, and its section of the contract. */
  readonly requirement: string
  readonly section: string
}

/** Copies of the minimal vendor, each with one line changed. */
export const brokenVendors: readonly BrokenVendor[] = [
  {
    defect: '>= for >',
    file: 'select.mjs',
    line: 'FOR ${statement}',
    replacement: "FOR ${statement.replace(/>(?!=)/, '>=')}",
    requirement: 'REQ-DELTA-2',
    section: 'Execute a statement, rule',
  },
  {
    defect: 'an inner join',
    file: 'select.mjs',
    line: 'FOR ${statement}',
    replacement: "FOR ${statement.replace(/LEFT JOIN/i, 'JOIN')}",
    requirement: 'REQ-SQL-7',
    section: 'Execute a statement, rule 2',
  },
  {
    defect: 'data: null on errors',
    file: 'server.mjs',
    line: "rows = '[]', state",
    replacement: "rows = 'null', state",
    requirement: 'REQ-HTTP-6',
    section: 'Errors, opening sentence',
  },
  {
    defect: 'single quotes in the relation message',
    file: 'server.mjs',
    line: 'return refuse(200, message)\n    if (code',
    replacement: `return refuse(200, message.replaceAll('"', "'"))\n    if (code`,
    requirement: 'REQ-ERR-1',
    section: 'Errors, table of SQL-level outcomes, row 1',
  },
]

/**
 * Starts two vendors without a time limit. Each has every second defect of {@link brokenVendors}: one in how it reads rows, and one in
 * its errors, which do not meet.
 */
export const startBrokenVendors = (folder: string, fixtures: string): Promise<Vendor[]> =>
  Promise.all(
    [0, 1].map((half) => {
      let source: string | undefined
      for (const [at, { file, line, replacement }] of brokenVendors.entries())
        if (at % 2 === half) source = brokenVendor(folder, `${half}-${at}`, file, line, replacement, source)
      return startVendor({ fixtures, source: source!, timeLimitMs: 600_000 })
    }),
  )

/** Expects exit code 1 and a report that names the section of the contract. */
export async function expectNonConformant(
  { requirement, section }: Pick<BrokenVendor, 'requirement' | 'section'>,
  { baseUrl }: Vendor,
  ...more: string[]
): Promise<void> {
  const target = ['--base-url', baseUrl, '--token', VENDOR_TOKEN, '--only', requirement]
  const { exitCode, stdout } = await runCli(['conformance', ...target, ...more])
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/^non-conformant {2}http/)
  expect(stdout).toMatch(new RegExp(`✗ fail {2}${requirement} `))
  expect(stdout).toContain(section)
  expect(stdout).toContain('curl -sS -i -X POST')
  expect(stdout).not.toContain(VENDOR_TOKEN)
}
