import { expect, test } from 'vitest'
import { SqlError, StatementTimeout } from '../../statement.ts'
import { failureOf } from './cause.ts'
import { formatStatementLog } from './statement-log.ts'

/** An error at the sign `|` of a statement. */
function failureAt(marked: string, { secret = '', hint = '', state = '42703', message = 'no column' } = {}) {
  const position = Array.from(marked.slice(0, marked.indexOf('|'))).length + 1
  const error = Object.assign(new SqlError('other', message, state), { position, hint })
  return failureOf(error, marked.replace('|', ''), secret)
}
const placeAt = (marked: string, secret = '') => failureAt(marked, { secret }).cause.split('\n').slice(1)

test('an error shows its place and its hint', () => {
  expect(failureAt('SELECT |nam FROM v', { hint: 'Try "name".' })).toEqual({
    cause: 'SqlError: no column\nLINE 1: SELECT nam FROM v\n               ^\nHINT: Try "name".',
    hint: 'Try "name".',
    position: 8,
  })
})

test('an error without a place or a statement shows no caret', () => {
  const error = Object.assign(new SqlError('other', 'division by zero', '22012'), { hint: 'Divide less.' })
  expect(failureOf(error, 'SELECT 1 / 0', '').cause).toBe('SqlError: division by zero\nHINT: Divide less.')
  expect(failureOf(new StatementTimeout(5), 'SELECT 1', '')).toEqual({ cause: expect.any(String) })
  const unread = failureOf(Object.assign(new SqlError('other', 'no', '42703'), { position: 3 }), '', '')
  expect(unread).toEqual({ cause: 'SqlError: no' })
})

test.each([
  ['\tSELECT\r\n\t|nam\r\nFROM v', ['LINE 2:  nam', '         ^']],
  ['a\rb\n|c', ['LINE 3: c', '        ^']],
  ['SELECT 1|', ['LINE 1: SELECT 1', '                ^']],
  ["'😀', 'é', |n", ["LINE 1: '😀', 'é', n", '                   ^']],
  ["'发酵', 'e\u0301', |n", ["LINE 1: '发酵', 'e\u0301', n", '                     ^']],
  ['\u001b[2J\u202e|n\u0000', [String.raw`LINE 1: \u001b[2J\u202en\u0000`, '                       ^']],
  [`${'x'.repeat(90)} |n`, [`LINE 1: …${'x'.repeat(58)} n`, `${' '.repeat(68)}^`]],
  [`|n ${'😀'.repeat(90)}`, [`LINE 1: n ${'😀'.repeat(58)}…`, '        ^']],
  [
    `${'x'.repeat(90)}|n${'y'.repeat(90)}`,
    [`LINE 1: …${'x'.repeat(36)}n${'y'.repeat(23)}…`, `${' '.repeat(45)}^`],
  ],
])('the line and the caret of %j', (marked, lines) => expect(placeAt(marked)).toEqual(lines))

test('a place in a statement of a megabyte is found in time', () => {
  const marked = `${"'😀'\n".repeat(150_000)}|n ${'y'.repeat(300_000)}`
  expect(placeAt(marked)[0]).toBe(`LINE 150001: n ${'y'.repeat(58)}…`)
})

test.each([
  ["'s3cret', |n", ["LINE 1: '[token]', n", '                   ^']],
  ['|s3cret', ['LINE 1: [token]', '        ^']],
  ['s3c|ret, n', []],
  [`${'s3cret'.repeat(5_000)}|n`, [`LINE 1: …${'[token]'.repeat(9).slice(-59)}n`, `${' '.repeat(68)}^`]],
  [`|n${'s3cret'.repeat(5_000)}`, [`LINE 1: n${'[token]'.repeat(9).slice(0, 59)}…`, '        ^']],
])('the place of %j shows no part of the secret', (marked, lines) => {
  expect(placeAt(marked, 's3cret')).toEqual(lines)
  expect(failureAt(marked, { secret: 's3cret', hint: 'Try s3cret.' }).hint).toBe('Try [token].')
})

test.each([
  ['WHERE s = |"Completed"', "Texts have single quotes: 'Completed'."],
  ['WHERE s = |"It\'s ""it"""', `Texts have single quotes: 'It''s "it"'.`],
  ['WHERE |"b".nope = 1', undefined],
  ['WHERE |b."nope" = 1', undefined],
  ['WHERE |nope = "x"', undefined],
  ['WHERE |"nope', undefined],
  [`WHERE |"${'n'.repeat(600)}"`, undefined],
])('for %j, the hint about quotes is %j', (marked, hint) => {
  expect(failureAt(marked).hint).toBe(hint)
  expect(failureAt(marked, { state: '42P01' }).hint).toBeUndefined()
})

test.each([
  ['SELECT |failure_mode FROM v_bioprocesses', "failure_mode is a key of qc: qc->>'failure_mode'."],
  ['SELECT |b.failure_mode FROM v_bioprocesses b', "failure_mode is a key of qc: b.qc->>'failure_mode'."],
  ['SELECT |count FROM v_timeseries', "count is a key of statistics: statistics->>'count'."],
  ['SELECT |count FROM v_timeseries_data', undefined],
  ['SELECT |failure_modes FROM v_bioprocesses', undefined],
])('for %j, the hint about keys is %j', (marked, hint) => {
  expect(failureAt(marked).hint).toBe(hint)
  expect(failureAt(marked, { state: '42P01' }).hint).toBeUndefined()
})

test('no text makes a line of its own that a log could take for an entry', () => {
  const forged = '"a\n2026-01-01T00:00:00.000Z 200 success\r\u2028\u0085\u001b[1A"'
  const failure = failureAt(`SELECT |${forged}`, { message: `column ${forged} does not exist`, hint: forged })
  const lines = formatStatementLog({ status: 200, state: 'error', durationMs: 1, ...failure }).split('\n')
  expect(lines).toHaveLength(4)
  for (const line of lines.slice(1)) expect(line).toMatch(/^ {4}/)
  expect(lines.join('')).toMatch(/^[ -~]*$/)
})
