import { afterEach, describe, expect, test, vi } from 'vitest'
import { logLine, say, useLogFormat } from './log.ts'
import { serverLine } from '../server/server-line.ts'

afterEach(() => {
  useLogFormat('plain')
  vi.restoreAllMocks()
})

const statement = {
  status: 200,
  state: 'success',
  durationMs: 6.04,
  bytes: 1146,
  statement: 'SELECT 1',
} as const

describe('a line of the log', () => {
  test('has no time in a command, and one in UTC in a server', () => {
    expect(logLine('Read it again.')).toBe('Read it again.')
    useLogFormat('text')
    expect(logLine('Read it\nagain.')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z Read it\\nagain\.$/)
    expect(logLine('200 error\n    HINT: \u001b\n  no')).toMatch(/Z 200 error\n {4}HINT: \\u001b\\n  no$/)
  })

  test('in JSON has the members of the statement, its check and its session', () => {
    useLogFormat('json')
    const about = {
      ...statement,
      text: 'SELECT\n1',
      client: 'curl',
      sent: '{}',
      got: 'HTTP 200',
      request: 'POST /external/v1/statements/ application/json with a token',
      check: 'sql.limit-kept',
      session: 'a',
    }
    const { time, ...rest } = JSON.parse(serverLine('200 success', about)) as Record<string, unknown>
    expect(new Date(String(time)).toISOString()).toBe(time)
    expect(rest).toEqual({
      level: 'info',
      ...statement,
      durationMs: 6,
      check: 'sql.limit-kept',
      session: 'a',
    })
  })

  test.each([
    [{ ...statement, status: 504, state: 'error' } as const, 'error'],
    [{ ...statement, status: 401, state: 'error' } as const, 'warn'],
    [new Error('gone'), 'error'],
    [undefined, 'info'],
  ])('in JSON about %j has the level %s', (about, level) => {
    useLogFormat('json')
    expect(JSON.parse(serverLine('a line', about))).toMatchObject({ level })
  })

  test('in JSON is one line of text that controls no terminal, and keeps what it says', () => {
    useLogFormat('json')
    const message = 'a\n\u001b[31m\u202e\u{e0001}\u2028 "\ud800'
    const line = logLine(message)
    expect(line).toMatch(/^[ -~]+$/)
    expect(JSON.parse(line)).toMatchObject({ message })
  })
})

test('a line for the terminal has no escape, no format character and no line break of its own', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  say('warning: v\u001b[31m\u202e\n.csv is not a file of a view; ignored.')
  expect(write.mock.calls.map(([text]) => String(text))).toEqual([
    'warning: v\\u001b[31m\\u202e\\n.csv is not a file of a view; ignored.\n',
  ])
})
