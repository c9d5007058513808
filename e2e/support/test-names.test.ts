import { describe, expect, test } from 'vitest'
import { nameViolations } from './test-names.ts'

describe('nameViolations', () => {
  test('accepts unique names, and % in SQL and after numbers', () => {
    expect(nameViolations(['gate > accepts LIKE', "gate > accepts ILIKE '%a%'", '95 % of the runs'])).toEqual(
      [],
    )
  })

  test('reports a name once for all the tests that share it', () => {
    expect(nameViolations(['gate > accepts', 'gate > refuses', 'gate > accepts', 'gate > accepts'])).toEqual([
      '3 tests are named "gate > accepts". Give each its own title.',
    ])
  })

  test('reports a placeholder that vitest did not expand', () => {
    for (const placeholder of ['%s', '%.60s', '%d', '%j', '%o']) {
      expect(nameViolations([`gate > refuses ${placeholder}`]), placeholder).toEqual([
        expect.stringContaining('has an unexpanded placeholder'),
      ])
    }
  })
})
