import { describe, expect, test } from 'vitest'
import { nameViolations } from './test-names.ts'

describe('the names of tests', () => {
  test('may contain % in SQL and after numbers', () => {
    expect(nameViolations(['gate > accepts LIKE', "gate > accepts ILIKE '%a%'", '95 % of the runs'])).toEqual(
      [],
    )
  })

  test('are reported once when several tests share one', () => {
    expect(nameViolations(['gate > accepts', 'gate > refuses', 'gate > accepts', 'gate > accepts'])).toEqual([
      '3 tests are named "gate > accepts". Give each its own title.',
    ])
  })

  test('are reported when vitest left a placeholder in one', () => {
    for (const placeholder of ['%s', '%.60s', '%d', '%j', '%o']) {
      expect(nameViolations([`gate > refuses ${placeholder}`]), placeholder).toEqual([
        expect.stringContaining('has an unexpanded placeholder'),
      ])
    }
  })
})
