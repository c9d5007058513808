import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { root } from '../support/cli.ts'
import { sources } from '../support/sources.ts'

/** Rooms whose code reads texts of clients, beside all other requests. */
const rooms = /^(?:base|mock|client\/conformance)\//

/** Files whose expressions read no text of a client, or none that is long. */
const harmless = new Set([
  // an error of the driver
  'mock/node/postgres/errors.ts',
  // a number of six digits
  'mock/open-points/timestamps/format.ts',
])

interface Expression {
  readonly file: string
  readonly source: string
  readonly flags: string
}

/** The literal expressions of a file. */
function expressionsOf(file: string): Expression[] {
  const found: Expression[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { regex } = node as { regex?: { pattern: string; flags: string } }
    if (regex) found.push({ file, source: regex.pattern, flags: regex.flags.replace('y', '') })
    else for (const part of Object.values(node)) visit(part)
  }
  visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program)
  return found
}

const beginnings = ['', "'", '"', '/*', 'from', 'bearer ', '-', 'x', '1', '$a$', 'at or near "']
const repeated = [
  ...` '"(0\\-/*a_.,;$={[:%<\n\u0301`,
  ..."/*|/* |--|''|$a|$a$ |e'| a|0.|v_|at or near \"|=  |[token|${|a.|a,|\"a|\\'|bearer |from |\t;".split(
    '|',
  ),
]
const endings = ['', '!', '\0x']

/** The shortest of three times that an expression takes for a text. */
function timeOf(expression: RegExp, text: string): number {
  const times = [1, 2, 3].map(() => {
    const start = performance.now()
    text.replace(expression, '')
    return performance.now() - start
  })
  return Math.min(...times)
}

/** Whether the longer text takes too long, again and again: other programs use the machine too. */
const isSlow = (expression: RegExp, short: string, long: string): boolean =>
  [1, 2, 3].every(() => {
    const time = timeOf(expression, long)
    return time > 5 && time > 8 * timeOf(expression, short)
  })

/** A text for which an expression takes more than eight times as long if it is four times as long. */
function slowText({ source, flags }: Expression): string | undefined {
  const expression = new RegExp(source, flags)
  for (const beginning of beginnings)
    for (const part of repeated)
      for (const ending of endings) {
        const text = (length: number) => beginning + part.repeat(length / part.length) + ending
        const start = performance.now()
        text(4000).replace(expression, '')
        // linear time is far below
        if (performance.now() - start < 0.6) continue
        if (isSlow(expression, text(4000), text(16_000))) return JSON.stringify([beginning, part, ending])
      }
  return undefined
}

test('an expression takes linear time for long rows of the same characters', () => {
  const expressions = sources()
    .filter(
      (file) => rooms.test(file) && /(?<!\.test|\.test-helper|\.d)\.ts$/.test(file) && !harmless.has(file),
    )
    .flatMap(expressionsOf)
  expect(expressions.length).toBeGreaterThan(80)
  const slow = expressions.flatMap((expression) => {
    const text = slowText(expression)
    return text === undefined ? [] : [`${expression.file}: /${expression.source}/ for ${text}`]
  })
  expect(slow).toEqual([])
  expect(slowText({ file: '', source: ' *,', flags: '' })).toBeDefined()
})
