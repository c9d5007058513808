import { expect, test } from 'vitest'
import { formatFailure, formatStatementLog, redact, wholeText } from './statement-log.ts'

test('formats a request as one line', () => {
  const entry = {
    status: 200,
    state: 'broken',
    durationMs: 12.4,
    bytes: 345,
    statement: 'SELECT 1',
    cause: 'gone',
  } as const
  expect(formatStatementLog(entry)).toBe('200 broken 12 ms 345 B SELECT 1 (gone)')
  expect(formatStatementLog({ status: 401, state: 'error', durationMs: 0 })).toBe('401 error 0 ms')
})

test('formats what is known of an error below its request, which shows the statement once', () => {
  const entry = {
    status: 200,
    state: 'error',
    durationMs: 6,
    statement: 'SELECT nam FROM v_formulas',
  } as const
  const place = 'LINE 1: SELECT nam FROM v_formulas\n               ^'
  expect(formatStatementLog({ ...entry, cause: `SqlError: no nam\n${place}\nHINT: Try name.` })).toBe(
    `200 error 6 ms (SqlError: no nam)
    LINE 1: SELECT nam FROM v_formulas
                   ^
    HINT: Try name.`,
  )
  const long = { ...entry, statement: 'SELECT 1, nam FROM v_formulas', cause: `SqlError: no nam\n${place}` }
  expect(formatStatementLog(long)).toBe(`200 error 6 ms SELECT 1, nam FROM v_formulas (SqlError: no nam)
    LINE 1: SELECT nam FROM v_formulas
                   ^`)
  expect(formatFailure(long)).toBe(`SqlError: no nam
    LINE 1: SELECT nam FROM v_formulas
                   ^
    STATEMENT: SELECT 1, nam FROM v_formulas`)
  expect(formatFailure({ ...entry, statement: '', cause: 'SqlError: empty' })).toBe('SqlError: empty')
})

test('shows format characters, which could mislead a reader of the terminal', () => {
  const statement = redact("SELECT '\u202e\u2066\u200b'", undefined)
  const line = formatStatementLog({ status: 200, state: 'success', durationMs: 1, statement })
  expect(line).toBe("200 success 1 ms SELECT '\\u202e\\u2066\\u200b'")
})

test('replaces a secret everywhere, also where the text is cut', () => {
  const text = `${'x'.repeat(195)}secret secret`
  expect(redact(text, 'secret')).not.toContain('secr')
  expect(redact(text, 'secret')).toHaveLength(200)
})

test('does not cut a character in two', () => {
  const text = `${'x'.repeat(198)}😀${'y'.repeat(8000)}`
  expect(redact(text, undefined)).toBe(`${'x'.repeat(198)}…`)
  expect(wholeText(`${'x'.repeat(7999)}😀`, undefined, '')).toBe('x'.repeat(7999))
})

test('shows no part of a secret where the search for it ends', () => {
  for (const secret of ['s3cret', 'a'.repeat(300)])
    for (const shift of [0, 3, 5]) {
      const text = `${' '.repeat(99_990)}${' '.repeat(shift)}${secret.repeat(3)}`
      expect(redact(text, secret)).not.toContain(secret.slice(0, 3))
      expect(wholeText(text.slice(99_000), secret, '')).not.toContain(secret.slice(0, 3))
      const many = 'Bearer '.repeat(20_000) + secret
      expect(wholeText(many, secret, '')).toHaveLength(8000)
      expect(redact(secret.repeat(60_000), secret)).not.toContain(secret)
    }
})

test.each(['x', 'x-long-secret'])('reads a text in linear time for the secret %s', (secret) => {
  const timeOf = (length: number) => {
    const text = `${' '.repeat(length)}${secret} Bearer${' '.repeat(length)}${secret}!`
    const times = [1, 2, 3].map(() => {
      const start = performance.now()
      redact(text, secret)
      wholeText(text, secret, '')
      return performance.now() - start
    })
    return Math.min(...times)
  }
  expect(timeOf(20_000)).toBeLessThan(8 * timeOf(5000) + 20)
})

test.each([
  ['x', 'SELECT max(x) FROM v_experiments', 'SELECT max(x) FROM v_experiments'],
  ['id', 'SELECT id FROM v_bioprocesses', 'SELECT id FROM v_bioprocesses'],
  [
    'data',
    `SELECT data FROM v_timeseries_data -- Bearer data`,
    `SELECT data FROM v_timeseries_data -- Bearer [token]`,
  ],
  ['x', 'SqlError: column "x" does not exist', 'SqlError: column "[token]" does not exist'],
  ['x', `SELECT 'x'x'', bearer   x`, `SELECT '[token]'[token]'', bearer [token]`],
  ['.', `SELECT '.', 1.5`, `SELECT '[token]', 1.5`],
  ['a.b(c', `SELECT a.b(c), 'a-b(c', 'xa.b(c'`, `SELECT a.b(c), 'a-b(c', 'xa.b(c'`],
  ['a.b(c)', `SELECT a.b(c)`, `SELECT [token]`],
])('redacts the short token %s only where it is a token in %s', (token, text, safe) => {
  expect(redact(text, token)).toBe(safe)
})

test('removes line breaks from a text', () => {
  expect(redact('a\r\nb\u2028c\u001b[31md\u0085e\0', undefined)).toBe('a b c [31md e')
})
