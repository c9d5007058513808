import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const BATCH_CHARACTERS = 1 << 20

const READER = `
  DO $$ BEGIN
    CREATE ROLE bioprocess_reader ROLE CURRENT_USER;
  EXCEPTION WHEN duplicate_object THEN NULL;
  END $$;
  GRANT SELECT ON ALL TABLES IN SCHEMA public TO bioprocess_reader;
  ANALYZE`

/** Applies the DDL, fills each table from `<fixtures>/v_<table>.ndjson` and creates the reader role. */
export async function load(db, ddl, fixtures) {
  await db.exec(await readFile(ddl, 'utf8'))
  const tables = await db.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'plant'`)
  for (const { tablename } of tables.rows) await fill(db, tablename, join(fixtures, `v_${tablename}.ndjson`))
  await db.exec(READER)
}

async function fill(db, table, path) {
  const insert = `INSERT INTO plant.${table}
    SELECT * FROM json_populate_recordset(null::plant.${table}, $1::text::json)`
  const file = await open(path)
  let batch = ''
  for await (const line of file.readLines()) {
    batch += `,${line}`
    if (batch.length < BATCH_CHARACTERS) continue
    await db.query(insert, [`[${batch.slice(1)}]`])
    batch = ''
  }
  await db.query(insert, [`[${batch.slice(1)}]`])
}
