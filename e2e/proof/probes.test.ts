import { expect, test } from 'vitest'
import { profileOf } from '../../conformance/profile.ts'
import { runConformance } from '../../conformance/run-conformance.ts'
import { createBehaviour, defaultBehaviour } from '../../mock/app/behaviour.ts'
import { createReference } from '../../mock/index.ts'
import { validators } from '../../schemas/index.ts'

const variants = {
  'rows.shape': 'wrapped',
  'rows.duplicates': 'suffix',
  'ts.format': 'micros-z',
  'http.unknownView': '404',
  'err.sqlSyntax': 'database-text',
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
    expect(createBehaviour(profile.variants)).toEqual({ ...defaultBehaviour, ...variants })
    expect(report.notObserved!['NS-39']).toContain('time.limit')
  } finally {
    await reference.close()
  }
})
