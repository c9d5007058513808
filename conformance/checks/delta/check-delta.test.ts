import { expect, test } from 'vitest'
import { handmade } from '../../connection/handmade.test-helper.ts'
import { sinceDate } from './check-delta.ts'

const at = (month: number) => ({ id: `q${month}`, last_updated_at: `2025-0${month}-01T00:00:00Z` })

test('older rows above a date fail by one answer, which no other state of the data explains', async () => {
  const ignoresWhere = handmade({ rows: { v_quantities: [at(1), at(5)] } })
  const finding = await sinceDate(ignoresWhere, 'v_quantities')
  expect(finding).toMatchObject({ outcome: 'fail', actual: expect.stringContaining('q1') as string })
  expect(finding).toHaveProperty('exchanges.length', 1)
})
