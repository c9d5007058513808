import { expect, test } from 'vitest'
import { createSettings, defaultSettings } from '../../mock/open-points/settings.ts'
import { findOpenPoint } from '../../schemas/index.ts'
import { runCli } from '../support/cli.ts'

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
