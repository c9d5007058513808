import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedRuns } from './runs.mjs'

const service = { baseUrl: process.env.BIOPROCESS_SQL_BASE_URL, token: process.env.BIOPROCESS_SQL_TOKEN }

test('lists the runs that changed since a date, newest first', async () => {
  const since = '2025-06-01T00:00:00Z'
  const runs = await changedRuns(service, since)
  assert.ok(runs.length > 0, 'there are runs')
  for (const { name, changed } of runs) {
    assert.equal(typeof name, 'string')
    assert.ok(changed > new Date(since), `${changed} is after ${since}`)
  }
  assert.deepEqual(
    runs,
    runs.toSorted((a, b) => b.changed - a.changed),
  )
})

test('knows which runs are children', async () => {
  const runs = await changedRuns(service, '2025-06-01T00:00:00Z')
  assert.ok(runs.some(({ isChild }) => isChild) && runs.some(({ isChild }) => !isChild))
})
