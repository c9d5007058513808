import { expect } from 'vitest'
import { runCli } from './cli.ts'
import { brokenVendor, startVendor, VENDOR_TOKEN } from './vendor.ts'

export interface BrokenVendor {
  readonly fault: string
  readonly file: string
  /** The line of the vendor's own code that is changed, and into what. */
  readonly line: string
  readonly replacement: string
  /** What the report has to name. */
  readonly requirement: string
  readonly clause: string
}

/** The minimal vendor, each time with one line of its code changed. */
export const brokenVendors: readonly BrokenVendor[] = [
  {
    fault: '>= for >',
    file: 'select.mjs',
    line: 'FOR ${statement}',
    replacement: "FOR ${statement.replace(/>(?!=)/, '>=')}",
    requirement: 'REQ-DELTA-2',
    clause: 'Execute a statement, rule',
  },
  {
    fault: 'an inner join',
    file: 'select.mjs',
    line: 'FOR ${statement}',
    replacement: "FOR ${statement.replace(/LEFT JOIN/i, 'JOIN')}",
    requirement: 'REQ-SQL-7',
    clause: 'Execute a statement, rule 2',
  },
  {
    fault: 'data: null on errors',
    file: 'server.mjs',
    line: "rows = '[]', state",
    replacement: "rows = 'null', state",
    requirement: 'REQ-HTTP-6',
    clause: 'Errors, opening sentence',
  },
  {
    fault: 'single quotes in the relation message',
    file: 'server.mjs',
    line: 'return refuse(200, message)\n    if (code',
    replacement: `return refuse(200, message.replaceAll('"', "'"))\n    if (code`,
    requirement: 'REQ-ERR-1',
    clause: 'Errors, table of SQL-level outcomes, row 1',
  },
]

/** Judges a broken vendor over the command line: exit code 1, and a report that names the clause. */
export async function expectNonConformant(
  { fault, file, line, replacement, requirement, clause }: BrokenVendor,
  folder: string,
  fixtures: string,
): Promise<void> {
  const source = brokenVendor(folder, fault.replaceAll(/\W+/g, '-'), file, line, replacement)
  const vendor = await startVendor({ fixtures, source })
  try {
    const target = ['--base-url', vendor.baseUrl, '--token', VENDOR_TOKEN]
    const { exitCode, stdout } = await runCli(['conformance', ...target, '--skip', 'time.*'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^non-conformant {2}http/)
    expect(stdout).toMatch(new RegExp(`✗ fail {2}${requirement} `))
    expect(stdout).toContain(clause)
    expect(stdout).toContain('curl -sS -i -X POST')
    expect(stdout).not.toContain(VENDOR_TOKEN)
  } finally {
    await vendor.stop()
  }
}
