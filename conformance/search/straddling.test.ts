import { expect, test } from 'vitest'
import { joinedUpdates, mostStraddling } from './straddling.ts'

const pair = {
  from: { view: 'v_timeseries', alias: 'l' },
  join: {
    source: { view: 'v_bioprocesses', alias: 'r' },
    on: { left: 'bioprocess_id', right: 'id' },
  },
} as const
const at = (day: string) => `2025-${day}T12:00:00Z`
const views: Record<string, { id: string; bioprocess_id: string | null; last_updated_at: string }[]> = {
  v_timeseries: [
    { id: 't1', bioprocess_id: 'b1', last_updated_at: at('01-01') },
    { id: 't2', bioprocess_id: 'b1', last_updated_at: at('03-01') },
    { id: 't3', bioprocess_id: null, last_updated_at: at('03-01') },
  ],
  v_bioprocesses: [{ id: 'b1', bioprocess_id: null, last_updated_at: at('02-01') }],
}
/** The literal of a notation without hyphens. */
const date = (day: string) => ({ date: `2025-${day}`, sql: `'2025${day.replace('-', '')}'` })

test('joinedUpdates pairs the updates of rows and their partners', () => {
  const days = joinedUpdates(pair, (view) => views[view]!).map((both) =>
    both.map((instant) => new Date(Number(instant / 1_000_000n)).toISOString().slice(5, 10)),
  )
  expect(days).toEqual([
    ['01-01', '02-01'],
    ['03-01', '02-01'],
  ])
})

test('mostStraddling is the date that splits the most pairs, if any', () => {
  const pairs = joinedUpdates(pair, (view) => views[view]!)
  expect(mostStraddling([date('01-15'), date('04-01')], pairs)?.date).toBe('2025-01-15')
  expect(mostStraddling([date('04-01')], pairs)).toBeUndefined()
})
