/** PostgreSQL prints `2025-03-01 08:12:00.123456+00`; kept as text, so that no microsecond is lost. */
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
 * A cursor takes nothing but a query, the extended protocol (`query`, unlike `exec`) nothing but one
 * statement: DELETE, SET, COPY, `WITH x AS (DELETE ...)` and `SELECT 1; DELETE ...` do not get past DECLARE.
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
