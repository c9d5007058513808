import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../../../mock/index.ts'
import type { ConformanceReport } from '../../../schemas/index.ts'
import { finished, spawnCli } from '../support/cli.ts'
import { closeTargets, startHttpTarget } from '../support/hostile-target.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
let reference: Reference
beforeAll(async () => {
  reference = await createReference({ seed: 1, scale: 0.01, workers: 2 })
})
afterAll(async () => {
  await Promise.all([closeTargets(), reference.close()])
  folder.remove()
})

/** A service in front of the reference that never answers one statement, that of its request number `silent`, and others slowly then. */
const startTarget = (silent: number) => {
  let unanswered: string | undefined
  return startHttpTarget(async (response, n, request) => {
    const body = await text(request)
    if (n === silent) unanswered = body
    if (body === unanswered) return
    // statements are left when the wait for the answer is over
    if (unanswered !== undefined) await setTimeout(500)
    const { authorization = '' } = request.headers
    const headers = { authorization, 'content-type': 'application/json' }
    const url = `${reference.baseUrl}/external/v1/statements/`
    const answer = await reference.fetch(url, { method: request.method!, headers, body })
    const { status } = answer
    response.writeHead(status, { 'content-type': 'application/json' }).end(await answer.text())
  })
}

/** Longest time between the report and the end of the process: much more than it takes, and much less than the rest of the work. */
const LONGEST_MS = 15_000

test.concurrent.each([
  ['of the suite', ['--fuzz', '200', '--only', 'search.*'], 80],
  ['with --seeded --fuzz', ['--seeded', '--scale', '0.01', '--fuzz', '400', '--only', 'seeded.fuzz*'], 60],
])(
  'a run %s keeps what it compared before a statement without an answer, and ends when its report does',
  async (_, options, silent) => {
    const target = await startTarget(silent)
    const file = join(folder.dir, `${silent}.json`)
    const child = spawnCli([
      'conformance',
      `--base-url=${target.baseUrl}`,
      `--token=${reference.token}`,
      `--report=json=${file}`,
      '--time-limit=1s',
      ...options,
    ])
    let reportedAt = 0
    child.stdout!.on('data', () => (reportedAt = performance.now()))
    const { exitCode, stdout, stderr } = await finished(child)
    const afterReportMs = performance.now() - reportedAt
    expect(afterReportMs).toBeLessThan(LONGEST_MS)
    expect([exitCode, stderr], stdout).toEqual([3, expect.any(String)])
    const { checks } = JSON.parse(readFileSync(file, 'utf8')) as ConformanceReport
    const left = checks.filter(({ outcome }) => outcome === 'inconclusive')
    for (const { message } of left)
      expect(message).toMatch(
        /^\d+ of \d+ statements: same rows as .* not compared, because `SELECT .*` got no answer/,
      )
    expect(left.length).toBeGreaterThan(0)
    const compared = checks.map(({ message }) => Number.parseInt(message, 10))
    expect(compared.reduce((sum, count) => sum + count)).toBeGreaterThan(30)
  },
  240_000,
)
