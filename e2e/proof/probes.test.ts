import { expect, test } from 'vitest'
import { profileOf } from '../../conformance/run/profile.ts'
import { runConformance } from '../../conformance/run/conformance.ts'
import { createSettings, defaultSettings } from '../../mock/app/settings.ts'
import { createReference } from '../../mock/index.ts'
import { validators } from '../../schemas/index.ts'

const variants = {
  'rows.shape': 'wrapped',
  'rows.duplicates': 'suffix',
  'timestamps.format': 'micros-z',
  'http.unknown-view': '404',
  'errors.sql-syntax': 'database-text',
}

test('a server that takes on the profile of a judged one behaves like it', async () => {
  const reference = await createReference({ scale: 0.01, workers: 2 })
  const header = Object.entries(variants).map(([knob, slug]) => `${knob}=${slug}`)
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
