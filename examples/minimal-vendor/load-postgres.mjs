import pg from 'pg'
import { load } from './load.mjs'

const [ddl, fixtures] = process.argv.slice(2)
const { DATABASE_URL } = process.env
if (!DATABASE_URL || !fixtures) {
  console.error('Usage: DATABASE_URL=postgres://owner@host/db node load-postgres.mjs DDL FIXTURES')
  process.exit(2)
}

const client = new pg.Client({ connectionString: DATABASE_URL })
await client.connect()
await load(
  { exec: (text) => client.query(text), query: (text, values) => client.query(text, values) },
  ddl,
  fixtures,
)
await client.end()
