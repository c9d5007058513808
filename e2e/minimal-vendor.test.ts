import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from './support/cli.ts'
import {
  brokenVendor,
  exportFixtures,
  scratch,
  startVendor,
  VENDOR_TOKEN,
  type Vendor,
} from './support/vendor.ts'

const folder = scratch()
let fixtures: string

beforeAll(async () => {
  fixtures = await exportFixtures(folder.dir)
})
afterAll(() => folder.remove())

const judge = ({ baseUrl }: Vendor, ...flags: string[]) =>
  runCli(['conformance', '--base-url', baseUrl, '--token', VENDOR_TOKEN, ...flags])

test('the minimal vendor, which shares no code with the judge, is conformant', async () => {
  const vendor = await startVendor({ fixtures })
  try {
    const { exitCode, stdout } = await judge(vendor)
    expect(stdout).toMatch(/^conformant {2}http/)
    expect(exitCode).toBe(0)
  } finally {
    await vendor.stop()
  }
}, 240_000)

/** Each with one line of the vendor's own code changed. One without a time limit is in the fuller tier. */
const broken = [
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

describe('a server that is broken on purpose is non-conformant, and the clause is named', () => {
  test.each(broken)('$fault', async ({ fault, file, line, replacement, requirement, clause }) => {
    const source = brokenVendor(folder.dir, fault.replaceAll(/\W+/g, '-'), file, line, replacement)
    const vendor = await startVendor({ fixtures, source })
    try {
      const { exitCode, stdout } = await judge(vendor, '--skip', 'time.*')
      expect(exitCode).toBe(1)
      expect(stdout).toMatch(/^non-conformant {2}http/)
      expect(stdout).toMatch(new RegExp(`✗ fail {2}${requirement} `))
      expect(stdout).toContain(clause)
      expect(stdout).toContain('curl -sS -i -X POST')
      expect(stdout).not.toContain(VENDOR_TOKEN)
    } finally {
      await vendor.stop()
    }
  })
})
