import { afterEach, expect, test, vi } from 'vitest'
import { say } from './say.ts'

afterEach(() => vi.restoreAllMocks())

test('a line for the terminal has no escape, no format character and no line break of its own', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  say('warning: v\u001b[31m\u202e\n.csv is not a file of a view; ignored.')
  expect(write.mock.calls.map(([text]) => String(text))).toEqual([
    'warning: v\\u001b[31m\\u202e\\n.csv is not a file of a view; ignored.\n',
  ])
})
