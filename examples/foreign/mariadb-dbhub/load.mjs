import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import mariadb from 'mariadb'

const { SOCKET } = process.env
const [folder] = process.argv.slice(2)
if (!SOCKET || !folder) {
  console.error('Usage: SOCKET=/path/of/mariadb.sock node load.mjs FOLDER-OF-EXPORTED-FIXTURES')
  process.exit(2)
}

/** DATETIME has no offset; all exported times are in UTC. Lists and objects become JSON texts. */
function written(name, value) {
  if (name === 'value' && typeof value === 'string') return JSON.stringify(value)
  if (name.endsWith('timestamp') || name.endsWith('_at')) return value?.slice(0, 26).replace('T', ' ') ?? null
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : value
}

const db = await mariadb.createConnection({ socketPath: SOCKET, user: 'root', multipleStatements: true })
await db.query(await readFile(new URL('tables.sql', import.meta.url), 'utf8'))
for (const file of (await readdir(folder)).filter((name) => /^v_\w+\.ndjson$/.test(name))) {
  const rows = (await readFile(join(folder, file), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const columns = Object.keys(rows[0])
  const insert = `INSERT INTO ${file.replace('.ndjson', '')} (${columns.join(', ')})
    VALUES (${columns.map(() => '?').join(', ')})`
  await db.batch(
    insert,
    rows.map((row) => columns.map((name) => written(name, row[name]))),
  )
}
await db.end()
