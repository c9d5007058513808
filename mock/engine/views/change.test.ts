import { expect, test } from 'vitest'
import type { Changes } from '../../../fixtures/changes.ts'
import { changeSteps } from './change.ts'

const removed = { v_bioprocesses: [], v_bioprocess_quantity_data: [] }
const series = (id: string, length: number, replaces: boolean): Changes['points'][number] => ({
  id,
  times: new Float64Array(length),
  values: new Float64Array(length),
  updated: new Float64Array(length),
  items: undefined,
  replaces,
})

test('many points are copied in batches, and those of a series stored anew replace the old ones first', () => {
  const points = [series('a', 60_000, false), series('b', 60_000, true), series('c', 60_000, false)]
  const steps = changeSteps({ rows: {}, points, removed })
  expect(steps.map(({ sql }) => sql.split(' ')[0])).toEqual(['DELETE', 'COPY', 'COPY'])
  expect(steps[0]!.params).toEqual([['b']])
})
