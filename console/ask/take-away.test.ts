import { expect, test } from 'vitest'
import { asCsv, asCurl, asTypeScript } from './take-away.ts'

const answer = (rows: unknown[][]) => ({
  columns: ['a', 'b'],
  rows,
  message: '',
  status: 200,
  bytes: 0,
  isCut: false,
})

test('CSV quotes what has to be, and no text becomes a formula of a spreadsheet', () => {
  expect(
    asCsv(
      answer([
        ['x,"y"', null],
        ['=1+1', -1],
        [{ c: 1 }, 'é\n'],
      ]),
    ),
  ).toBe('a,b\r\n"x,""y""",\r\n\'=1+1,-1\r\n"{""c"":1}","é\n"\r\n')
})

test('a curl command keeps the quotation marks of a statement and names no token', () => {
  const command = asCurl('http://127.0.0.1:4010/external/v1/statements/', "SELECT 'it''s'")
  expect(command).toContain(`-d '{"statement":"SELECT '\\''it'\\'''\\''s'\\''"}'`)
  expect(command).toContain('$BIOPROCESS_SQL_TOKEN')
})

test('a TypeScript module holds the statement as it is', () => {
  expect(asTypeScript('http://a.example', 'SELECT `x` \\ ${y}')).toContain(
    'client.query(`SELECT \\`x\\` \\\\ \\${y}`)',
  )
})
