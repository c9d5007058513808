import { parsers, select } from './select.mjs'

/** Opens a pool on a database that `load-postgres.mjs` has loaded. PostgreSQL enforces the time limit. */
export async function openPostgres({ url, timeLimitMs }) {
  const { default: pg } = await import('pg').catch(() => {
    throw new Error('DATABASE_URL needs the package `pg`, which is not installed. Run: npm install pg')
  })
  const pool = new pg.Pool({
    connectionString: url,
    statement_timeout: timeLimitMs,
    types: { getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format) },
  })
  pool.on('error', (error) => console.error(error.message))
  const { rows } = await pool.query(`SELECT current_setting('is_superuser') AS superuser`)
  if (rows[0].superuser === 'on') {
    console.error(
      'DATABASE_URL logs in as a superuser, which is not safe. Use a member of bioprocess_reader.',
    )
  }

  return async function execute(statement) {
    const client = await pool.connect()
    const exec = (text) => client.query(text)
    const query = (text) => client.query({ text, queryMode: 'extended' })
    try {
      return await select({ exec, query }, statement)
    } finally {
      client.release()
    }
  }
}
