import { refuse, type Handmade } from '../handmade.test-helper.ts'
import { BAD_JSON, on, oneRun, type Examples } from './services.test-helper.ts'

const failing = (pattern: RegExp, message: string): Handmade => on(pattern, () => refuse(200, message))

const unknown = (write: (view: string) => string): Handmade => ({
  answer: ({ sql }) => {
    const [view] = /v_no_such_view_\w+/.exec(sql) ?? []
    return view === undefined ? undefined : refuse(200, write(view))
  },
})

/** Failures of the database have texts of their own; several statements have the one given. */
const keeping = (several: string): Handmade => ({
  answer: ({ sql }) => {
    if (/LIMIT 1; SELECT/.test(sql)) return refuse(200, several)
    if (sql.includes('1/0')) return refuse(200, 'division by zero')
    return sql.includes('no_such_column') ? refuse(200, 'column does not exist') : undefined
  },
})

/** In which words. */
export const messages: Examples = {
  'NS-27': {
    'parser-text': failing(
      BAD_JSON,
      'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
    ),
    'parse-error': failing(BAD_JSON, "JSON parse error - Expecting ',' delimiter: line 1 column 9 (char 8)"),
    'unexpected-token': failing(BAD_JSON, "Unexpected token ' in JSON at position 1"),
    'decode-error': failing(BAD_JSON, 'JSON decode error'),
    'invalid-json': failing(BAD_JSON, 'Invalid JSON'),
    'decode-error-parser-text': failing(BAD_JSON, 'JSON decode error: Unexpected token'),
  },
  'NS-28': {
    'decode-error': failing(/^SELEC /, 'JSON decode error'),
    'database-text': failing(/^SELEC /, 'syntax error at or near "SELEC"'),
    'database-text-line': failing(/^SELEC /, 'syntax error at or near "SELEC"\nLINE 1: SELEC id\n        ^'),
    generic: failing(/^SELEC /, 'Error executing statement'),
    'decode-error-database-text': failing(/^SELEC /, 'JSON decode error: syntax error at or near "SELEC"'),
  },
  'NS-29': {
    exact: unknown((view) => `relation "${view}" does not exist`),
    'error-prefix': unknown((view) => `ERROR: relation "${view}" does not exist`),
    'driver-prefix': unknown((view) => `(psycopg2.errors.UndefinedTable) relation "${view}" does not exist`),
    'line-suffix': unknown((view) => `relation "${view}" does not exist\nLINE 1: SELECT\n  ^`),
    'background-suffix': unknown(
      (view) => `relation "${view}" does not exist (Background on this error at: https://x.example)`,
    ),
    backslashes: unknown((view) => `relation \\"${view}\\" does not exist`),
    '63-bytes': unknown((view) => `relation "${view.slice(0, 63)}" does not exist`),
    'schema-qualified': unknown((view) => `relation "public.${view}" does not exist`),
  },
  'NS-30': {
    'all-other': failing(/no_such_column|1\/0/, 'Error executing statement'),
    'non-sql-only': keeping('Error executing statement'),
    never: keeping('cannot insert multiple commands into a prepared statement'),
  },
  'NS-50': {
    success: { ...oneRun, message: 'success' },
    executed: { ...oneRun, message: 'Statement executed successfully.' },
    empty: { ...oneRun, message: '' },
    'row-count': { ...oneRun, message: '1 row' },
  },
  'NS-51': {
    'ran-no-results': { message: 'The statement ran successfully but returned no results.' },
    'no-results': { message: 'No results' },
  },
}
