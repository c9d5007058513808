import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** The share of each write, of fifty. */
const MIX = {
  point: 22,
  value_corrected: 7,
  observed: 4,
  result_computed: 4,
  value_added: 3,
  value_removed: 3,
  run_started: 2,
  run_archived: 3,
  notes_edited: 1,
  experiment_rescheduled: 1,
}
const turns = Object.entries(MIX).flatMap(([name, times]) => Array(times).fill(name))

/** Writes at a steady rate until SIGTERM, then prints the count of each write. */
const [rate = '20'] = process.argv.slice(2)
const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
await client.query(readFileSync(new URL('./writes.sql', import.meta.url), 'utf8'))
const made = Object.fromEntries(Object.keys(MIX).map((name) => [name, 0]))
const end = new AbortController()
process.once('SIGTERM', () => end.abort())
console.log('Writing')

const started = performance.now()
for (let n = 1; !end.signal.aborted; n++) {
  const name = turns[Math.floor(Math.random() * turns.length)]
  await client.query(`SELECT writer.${name}()`)
  made[name]++
  await sleep(Math.max(0, started + (n * 1000) / Number(rate) - performance.now()))
}
await client.end()
console.log(JSON.stringify(made))
