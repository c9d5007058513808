import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runConformance } from '../../../conformance/index.ts'
import { profileOf } from '../../../conformance/run/profile.ts'
import { createReference, type Reference } from '../../../mock/index.ts'
import { createSettings, defaultSettings } from '../../../mock/open-points/settings.ts'
import { contract, validators, type Profile } from '../../../schemas/index.ts'
import { runCli, startCliServer } from '../support/cli.ts'
import { scratch } from '../support/vendor.ts'

/** The settings of four kinds of services. */
const services: Record<string, Record<string, string>> = {
  'a web framework in Python over PostgreSQL': {
    'http.unknown-view': '400',
    'http.exception': '500',
    'http.json-error': '400',
    'http.bad-request': '422',
    'http.extra-keys': '422',
    'http.content-type': '422',
    'http.no-slash': '307',
    'http.headers': 'none',
    'errors.json-text': 'parser-text',
    'errors.sql-syntax': 'database-text-line',
    'errors.relation-text': 'driver-prefix',
    'errors.generic': 'never',
    'messages.success': 'row-count',
    'timestamps.format': 'micros-z',
  },
  'functions behind a gateway': {
    'http.success': '201',
    'http.headers': 'cors',
    'http.content-type': 'ignored',
    'errors.json-text': 'unexpected-token',
    'errors.relation-text': 'error-prefix',
    'rate.mode': '429-retry-after',
    'rows.max': 'next-link-1000',
    'timeout.body': 'message',
    'timestamps.format': 'nanos-z',
  },
  'a servlet that hides the causes of errors': {
    'http.headers': 'gzip',
    'http.exception': '500',
    'errors.json-text': 'parse-error',
    'errors.sql-syntax': 'generic',
    'messages.empty': 'no-results',
    'rows.nulls': 'omitted',
    'rows.max': 'error-1000',
    'timeout.body': 'problem-json',
  },
  'rows as arrays': {
    'rows.shape': 'array-with-columns',
    'rows.order': 'random',
    'http.headers': 'etag',
    'errors.relation-text': '63-bytes',
    'errors.generic': 'non-sql-only',
    'rows.max': 'truncated-1000',
    'timeout.body': 'empty',
  },
  'rows in an object': {
    'rows.shape': 'wrapped',
    'rows.duplicates': 'suffix',
    'timestamps.format': 'micros-z',
    'http.unknown-view': '404',
    'errors.sql-syntax': 'database-text',
  },
}

const folder = scratch()
afterAll(() => folder.remove())

const token = 'profiled'

/** Checks that observe nothing, and take most of the time of a run. */
const skip = ['delta.*', 'join.*', 'references.*', 'replies.*', 'search.*', 'sql.*']

/** Starts a server with these options and records its profile. */
async function recordedBy(options: string[], file: string): Promise<Profile> {
  const shared = ['--time-limit', '5s', '--token', token]
  const server = await startCliServer(['--scale', '0.01', ...shared, ...options])
  try {
    const target = ['--base-url', server.baseUrl, ...shared]
    const { exitCode, stderr } = await runCli([
      'conformance',
      '--allow-incomplete',
      '--profile-out',
      file,
      ...skip.flatMap((ids) => ['--skip', ids]),
      ...target,
    ])
    expect(stderr).not.toContain('This is a bug')
    expect(exitCode).toBe(0)
    return JSON.parse(readFileSync(file, 'utf8')) as Profile
  } finally {
    await server.stop()
  }
}

/** A busy machine may delay a 504 or answer 503. */
const dependOnMachine = ['timeout.mode', 'rate.mode']

const comparableSettings = (settings: object = {}) =>
  Object.fromEntries(Object.entries(settings).filter(([id]) => !dependOnMachine.includes(id)))

const comparable = ({ contract, variants, unmatched }: Profile) => ({
  contract,
  variants: comparableSettings(variants),
  unmatched: comparableSettings(unmatched),
})

test('a server with the recorded profile of another server has the same profile', async () => {
  const [first, second, config] = ['a', 'b', 'c'].map((letter) => join(folder.dir, `${letter}.json`)) as [
    string,
    string,
    string,
  ]
  const variants = services['a web framework in Python over PostgreSQL']
  writeFileSync(config, JSON.stringify({ variants }))
  const recorded = await recordedBy(['--config', config], first)
  expect(recorded).toMatchObject({ contract: contract.version, variants })
  const again = await recordedBy(['--profile', first], second)
  expect(again).toMatchObject({ variants })
  expect(comparable(again)).toEqual(comparable(recorded))
}, 240_000)

describe('the profile of a server', () => {
  const timeLimitMs = 5_000
  let reference: Reference
  beforeAll(async () => {
    // several suites with one token run into the limit at once
    reference = await createReference({ scale: 0.01, timeLimitMs, workers: 2, maxWorkers: 20 })
  })
  afterAll(() => reference.close())

  // Much of a run is waiting for the limit.
  test.concurrent.each(Object.entries({ ...services, 'the defaults': {} }))(
    'has the settings of %s and no others',
    async (_, variants) => {
      const { baseUrl, token, fetch } = reference
      const header = Object.entries(variants).map(([setting, variant]) => `${setting}=${variant}`)
      const headers: Record<string, string> = header.length > 0 ? { 'x-mock-variant': header.join(', ') } : {}
      const report = await runConformance({ baseUrl, token, fetch, headers, skip, timeLimitMs })
      const profile = profileOf(report)
      expect(validators.profile(profile)).toBe(true)
      expect(validators.report(report)).toBe(true)
      expect(profile).toMatchObject({ contract: contract.version, variants })
      expect(comparableSettings(profile.unmatched)).toEqual({})
      expect(comparableSettings(createSettings(profile.variants))).toEqual(
        comparableSettings({ ...defaultSettings, ...variants }),
      )
    },
    240_000,
  )
})
