import { expect } from 'vitest'
import { runCli } from './cli.ts'
import { brokenVendor, startVendor, VENDOR_TOKEN } from './vendor.ts'

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

/** Expects exit code 1 and a report that names the section of the contract. */
export async function expectNonConformant(
  { defect, file, line, replacement, requirement, section }: BrokenVendor,
  folder: string,
  fixtures: string,
): Promise<void> {
  const source = brokenVendor(folder, defect.replaceAll(/\W+/g, '-'), file, line, replacement)
  const vendor = await startVendor({ fixtures, source })
  try {
    const target = ['--base-url', vendor.baseUrl, '--token', VENDOR_TOKEN]
    const { exitCode, stdout } = await runCli(['conformance', ...target, '--skip', 'time.*'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^non-conformant {2}http/)
    expect(stdout).toMatch(new RegExp(`✗ fail {2}${requirement} `))
    expect(stdout).toContain(section)
    expect(stdout).toContain('curl -sS -i -X POST')
    expect(stdout).not.toContain(VENDOR_TOKEN)
  } finally {
    await vendor.stop()
  }
}
