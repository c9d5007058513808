import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { observeAll } from '../../conformance/open-points/probe.ts'
import { probes } from '../../conformance/probes/index.ts'
import { withoutProbe } from '../../conformance/probes/without-probe.ts'
import { runConformance } from '../../conformance/run/conformance.ts'
import { Client } from '../../conformance/connection/client.ts'
import { Limits } from '../../conformance/connection/limits.ts'
import { Target } from '../../conformance/connection/target.ts'
import { Tokens } from '../../conformance/connection/tokens.ts'
import { createSettings, defaultSettings } from '../../mock/app/settings.ts'
import { createReference, type Reference } from '../../mock/index.ts'
import { contract, undocumented, validators, type Profile } from '../../schemas/index.ts'
import { runCli } from '../support/cli.ts'
import { canBeTold, timeLimitMs, type Variant, variants } from '../support/variants.ts'
import { scratch } from '../support/vendor.ts'

/** Limits of how many requests there may be show in a whole run alone. */
const showsInARun = ({ knob, slug }: Variant) => knob === 'rate.mode' || slug === '401-mid-run'

/** Every variant that shows in a few requests. */
const seenAlone = variants.filter((variant) => canBeTold(variant) && !showsInARun(variant))

/** Silences that a default server keeps: its nulls look like any other. */
const hidden: Record<string, string> = { 'NS-43': 'numbers.non-finite' }

let reference: Reference
beforeAll(async () => {
  reference = await createReference({ scale: 0.01, timeLimitMs, workers: 2 })
})
afterAll(() => reference.close())

/** What the probes see of the reference as it behaves under one variant, set by header. */
async function observe(name: string, which = probes) {
  const client = new Client({
    baseUrl: reference.baseUrl,
    path: contract.endpoint.path,
    tokens: new Tokens(reference.token, undefined, () => {}),
    headers: { 'x-mock-variant': name },
    fetch: reference.fetch,
    timeoutMs: timeLimitMs + 20_000,
    retries: 0,
    limits: new Limits({}),
  })
  const target = new Target(client, { timeLimitMs, destructiveProbes: false })
  const { observations } = await observeAll(which, target, (text) => text)
  return Object.values(observations)
}

const registered = new Map(undocumented.map((entry) => [entry.knob, entry.default]))

/** Other observations that a variant changes for good reason; undefined is none of the registered ways. */
const follows: Record<string, Record<string, string | undefined>> = {
  // To the reference an empty statement is one more exception.
  'http.exception=400': { 'sql.empty': '400' },
  // It compares in microseconds, however few digits it prints.
  'timestamps.format=millis-z': { 'delta.precision': 'printed-millis' },
  'timestamps.format=seconds-z': { 'delta.precision': undefined },
  // and prints fewer digits than it compares
  'delta.precision=printed-millis': { 'timestamps.format': undefined },
  // One column is a text of JSON, or all of them are.
  'induction.shape=json-text': { 'json.encoding': undefined },
  'json.encoding=text': { 'induction.shape': 'json-text', 'formula-results.data': undefined },
  // Texts are not calculated with, and a NaN in quotes is a number as a text.
  'numbers.encoding=string': { 'statistics.count': undefined },
  'numbers.non-finite=quoted-nan': { 'numbers.encoding': 'string' },
  // Texts are compared with texts: what makes a date of one is refused.
  'delta.zone=text-comparison': { 'delta.literal': undefined },
}

test.each(seenAlone)('$name is seen by the probe of $id, and nothing else changes', async (variant) => {
  const { id, knob, slug, name } = variant
  const { after } = probes.find(({ silence }) => silence === id)!
  const seen = await observe(
    name,
    probes.filter((probe) => probe.after === after),
  )
  const expected = { ...follows[name], [knob]: slug }
  const wrong = seen.filter(
    (one) => one.variant !== (one.knob in expected ? expected[one.knob] : registered.get(one.knob)),
  )
  expect(wrong).toEqual([])
  expect(seen.map((one) => one.knob)).toContain(knob)
})

test('the default server does what the register says is the default, and asking costs little', async () => {
  const report = await runConformance({
    baseUrl: reference.baseUrl,
    token: reference.token,
    fetch: reference.fetch,
    timeLimitMs,
  })
  const seen = Object.fromEntries(
    Object.values(report.observations).map(({ knob, variant }) => [knob, variant]),
  )
  const expected = undocumented.filter(({ id }) => !(id in withoutProbe) && !(id in hidden))
  const own = Object.fromEntries(expected.map((entry) => [entry.knob, entry.default]))
  // A busy machine may bring the 504 late.
  expect(['hard', 'second-late']).toContain(seen['timeout.mode'])
  expect(seen).toEqual({ ...own, 'timeout.mode': seen['timeout.mode'] })
  expect(Object.keys(report.notObserved!).toSorted()).toEqual(
    [...Object.keys(withoutProbe), ...Object.keys(hidden)].toSorted(),
  )
  const { baseUrl, token, fetch } = reference
  const untimed = await runConformance({ baseUrl, token, fetch, timeLimitMs, skip: ['time.*'] })
  expect(untimed.statements).toBeLessThanOrEqual(150)
})

test('--profile-out writes what a server can take on', async () => {
  const { dir, remove } = scratch()
  const file = join(dir, 'profile.json')
  try {
    const { exitCode } = await runCli([
      'conformance',
      '--time-limit',
      '1s',
      '--allow-incomplete',
      '--profile-out',
      file,
    ])
    expect(exitCode).toBe(0)
    const profile: unknown = JSON.parse(readFileSync(file, 'utf8'))
    expect(validators.profile(profile)).toBe(true)
    expect(createSettings((profile as Profile).variants)).toEqual(defaultSettings)
  } finally {
    remove()
  }
}, 120_000)

test('a profile of a part of the suite is refused', async () => {
  const { exitCode, stderr } = await runCli(['conformance', '--only', 'delta.*', '--profile-out', 'p.json'])
  expect(stderr).toContain('Leave out --only')
  expect(exitCode).toBe(2)
})
