import { expect, test } from 'vitest'
import { profileOf } from '../../conformance/run/profile.ts'
import { runConformance } from '../../conformance/run/conformance.ts'
import { createSettings, defaultSettings } from '../../mock/open-points/settings.ts'
import { createReference } from '../../mock/index.ts'
import { findOpenPoint, validators } from '../../schemas/index.ts'
import { runCli } from '../support/cli.ts'

const variants = {
  'rows.shape': 'wrapped',
  'rows.duplicates': 'suffix',
  'timestamps.format': 'micros-z',
  'http.unknown-view': '404',
  'errors.sql-syntax': 'database-text',
}

test('the recorded profile of a server has the settings of the server', async () => {
  const reference = await createReference({ scale: 0.01, workers: 2 })
  const header = Object.entries(variants).map(([setting, variant]) => `${setting}=${variant}`)
  try {
    const report = await runConformance({
      baseUrl: reference.baseUrl,
      token: reference.token,
      headers: { 'x-mock-variant': header.join(', ') },
      fetch: reference.fetch,
      skip: ['time.*'],
    })
    const profile = profileOf(report)
    expect(validators.profile(profile)).toBe(true)
    expect(validators.report(report)).toBe(true)
    expect(createSettings(profile.variants)).toEqual({ ...defaultSettings, ...variants })
    expect(report.notObserved!['NS-39']).toContain('time.limit')
  } finally {
    await reference.close()
  }
})

test('a profile may name open points by their numbers or former ids', () => {
  const older = { 'NS-12': 'wrapped', 'ts.format': 'micros-z', 'err.sqlSyntax': 'database-text' }
  expect(createSettings(older)).toEqual({
    ...defaultSettings,
    'rows.shape': 'wrapped',
    'timestamps.format': 'micros-z',
    'errors.sql-syntax': 'database-text',
  })
  expect(findOpenPoint('NS-12')?.id).toBe('rows.shape')
})

test('the command line rejects --profile-out for a part of the suite', async () => {
  const target = ['--base-url', 'http://127.0.0.1:4', '--no-auth']
  const options = [...target, '--only', 'delta.*', '--profile-out', 'p.json']
  const { exitCode, stderr } = await runCli(['conformance', ...options])
  expect(stderr).toContain('Leave out --only')
  expect(exitCode).toBe(2)
})
