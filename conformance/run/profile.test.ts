import { expect, test } from 'vitest'
import { validators } from '../../schemas/index.ts'
import { profileOf } from './profile.ts'

const observations = {
  'NS-12': { point: 'rows.shape', knob: 'rows.shape', variant: 'array', seen: 'in 48 rows: array' },
  'NS-22': { knob: 'events.discriminator', seen: '1 record, each with what, when' },
  'NS-08': { knob: 'formula-results.data', variant: 'value', seen: '2 objects with the keys value' },
}

test('a profile lists variants by setting, sorted, and separates observations without a variant', () => {
  const profile = profileOf({ observations })
  expect(JSON.stringify(profile)).toBe(
    JSON.stringify({
      contract: 'v1',
      variants: { 'formula-results.data': 'value', 'rows.shape': 'array' },
      unmatched: { 'events.discriminator': '1 record, each with what, when' },
    }),
  )
  expect(validators.profile(profile)).toBe(true)
})

test('a profile is empty if nothing was observed', () => {
  expect(profileOf({ observations: {} })).toEqual({ contract: 'v1', variants: {} })
  expect(validators.profile({ contract: 'v2', variants: {} })).toBe(false)
})
