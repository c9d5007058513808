import { frontend } from '../../engine/wire.ts'

export interface PreambleOptions {
  /** The schema of the views. */
  readonly schema: string
  /** A statement runs at most this long on the server, in milliseconds. */
  readonly timeLimitMs: number
  /** A reader may take no rows for this long, in milliseconds. */
  readonly readerLimitMs: number
}

/** The server ends a statement by itself this much after our limit, in milliseconds: a request to cancel it may get lost. */
const graceMs = 5_000

/**
 * Begins the transaction of a statement. Each sets everything anew, because a pooler may give it another connection
 * than the one before. `SET LOCAL` needs no right and ends with the transaction.
 *
 * @param zone the time zone of the session
 * @param readsPosition whether to ask how far the host has replayed the log, see {@link position}
 */
export const preamble = (options: PreambleOptions, zone: string, readsPosition: boolean): Uint8Array =>
  frontend.query(`${preambleSql(options, zone)}${readsPosition ? `; ${position}` : ''}`)

/** The statements of {@link preamble}. */
export function preambleSql({ schema, timeLimitMs, readerLimitMs }: PreambleOptions, zone: string): string {
  const settings = {
    statement_timeout: timeLimitMs + graceMs,
    idle_in_transaction_session_timeout: readerLimitMs + graceMs,
    // temporary tables last: they would hide the views
    search_path: `${quoteIdentifier(schema)}, pg_temp`,
    timezone: `'${zone}'`,
    // how values are printed
    datestyle: 'ISO',
    intervalstyle: 'postgres',
    extra_float_digits: 1,
    bytea_output: 'hex',
    // how the gate reads a statement
    standard_conforming_strings: 'on',
    transform_null_equals: 'off',
    // rows without ORDER BY begin at the beginning of a table
    synchronize_seqscans: 'off',
    client_min_messages: 'error',
  }
  const sets = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  return ['BEGIN READ ONLY', ...sets].join('; ')
}

/** Whether the host is a standby, and how far it has replayed the log, or written it if it is a primary: a number of bytes. */
export const position = `SELECT pg_is_in_recovery(), (CASE WHEN pg_is_in_recovery()
  THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END - '0/0')::int8`

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
