import pg from 'pg'
import { views } from '../../../../schemas/views.ts'

export interface PreambleOptions {
  /** A statement runs at most this long on the server, in milliseconds. */
  readonly timeLimitMs: number
  /** A reader may take no rows for this long, in milliseconds. */
  readonly readerLimitMs: number
  /** The schema of the views. Default: none, before it is known that nobody else creates functions, operators or types there. */
  readonly schema?: string
}

/** The server ends a statement by itself this much after our limit, in milliseconds: a request to cancel it may get lost. */
const graceMs = 5_000

/**
 * SQL that begins the transaction of a statement. Each sets everything anew, because a pooler may give it another connection
 * than the one before. `SET LOCAL` needs no right and ends with the transaction.
 *
 * @param zone the time zone of the session
 */
export function preamble({ timeLimitMs, readerLimitMs, schema }: PreambleOptions, zone = 'UTC'): string {
  const settings = {
    statement_timeout: timeLimitMs + graceMs,
    idle_in_transaction_session_timeout: readerLimitMs + graceMs,
    // temporary tables come last, or they would hide views
    search_path: [
      'pg_catalog',
      ...(schema === undefined ? [] : [pg.escapeIdentifier(schema)]),
      'pg_temp',
    ].join(', '),
    // a cursor is planned for all of its rows
    cursor_tuple_fraction: 1,
    timezone: `'${zone}'`,
    // how values are printed
    datestyle: 'ISO, MDY',
    intervalstyle: 'postgres',
    extra_float_digits: 1,
    bytea_output: 'hex',
    quote_all_identifiers: 'off',
    lc_monetary: "'C'",
    lc_numeric: "'C'",
    lc_time: "'C'",
    // how the analysis reads a statement, and PostgreSQL its values
    standard_conforming_strings: 'on',
    backslash_quote: 'safe_encoding',
    array_nulls: 'on',
    xmloption: 'content',
    xmlbinary: 'base64',
    default_text_search_config: `'pg_catalog.english'`,
    transform_null_equals: 'off',
    // an index gives all rows
    gin_fuzzy_search_limit: 0,
    // an error ends no connection
    exit_on_error: 'off',
    // rows without ORDER BY begin at the beginning of a table
    synchronize_seqscans: 'off',
    client_min_messages: 'error',
  }
  const sets = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  return ['BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY', ...sets, abbreviations].join('; ')
}

/** Setting this reads a file, so it is only done where a role has another value. */
const abbreviations = `SELECT set_config('timezone_abbreviations', 'Default', true) WHERE current_setting('timezone_abbreviations') <> 'Default'`

/** A query for the OIDs of the views of a schema. */
export const viewOids = (schema: string): string =>
  `SELECT ${views.map(({ name }) => `to_regclass(${pg.escapeLiteral(`${pg.escapeIdentifier(schema)}.${name}`)})::oid`).join(', ')}`

/** The names of the views by the OIDs in a row of {@link viewOids}. */
export const viewNamesIn = (oids: readonly unknown[]): ReadonlyMap<number, string> =>
  new Map(oids.map((oid, index) => [Number(oid), views[index]!.name]))
