/** PostgreSQL prints `2025-03-01 08:12:00.123456+00`. A timestamp stays text, to keep its microseconds. */
const withT = (text) => text.replace(' ', 'T')
const zoned = (text) => withT(text).replace(/[+-]\d\d$/, '$&:00')

/** By type OID: int8, numeric, date, timestamp, timestamptz. */
export const parsers = { 20: Number, 1700: Number, 1082: String, 1114: withT, 1184: zoned }

const OPEN = `
  BEGIN READ ONLY;
  SET LOCAL ROLE bioprocess_reader;
  SET LOCAL TIME ZONE 'UTC';
  SET LOCAL cursor_tuple_fraction = 1`

/**
 * Runs one query and returns its rows as JSON text.
 *
 * A cursor accepts only a query, and the extended protocol (`query`, unlike `exec`) only one statement. DECLARE therefore
 * rejects DELETE, SET, COPY, `WITH x AS (DELETE ...)` and `SELECT 1; DELETE ...`.
 */
export async function select(db, statement) {
  await db.exec(OPEN)
  try {
    await db.query(`DECLARE answer NO SCROLL CURSOR FOR ${statement}`)
    return JSON.stringify((await db.query('FETCH ALL FROM answer')).rows)
  } finally {
    await db.exec('ROLLBACK')
  }
}
