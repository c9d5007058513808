import { openSync } from 'node:fs'
import { ServerError } from '../mock/index.ts'
import { expect, test } from 'vitest'
import { explain, EXIT } from './exit.ts'

test.each([
  [
    "EMFILE: too many open files, open '(scratch)'",
    'Too many files and connections are open. Raise the limit, as with `ulimit -n 4096`, and start again.',
  ],
  [
    'ENOSPC: no space left on device, write',
    'The disk is full. Free some space, or name a place on another disk.',
  ],
  ["EROFS: read-only file system, open '/x'", 'The disk is read-only. Name a place on another disk.'],
  ["ENOTDIR: not a directory, stat 'file/x'", 'A part of this path is a file. Name another path.'],
  ["ENAMETOOLONG: name too long, mkdir 'xxx'", 'The name is too long. Name a shorter path.'],
])('what the system refuses is no bug, and has a remedy: %s', (message, remedy) => {
  expect(explain(new Error(message))).toEqual({
    sentence: `The system refused an operation (${message}). ${remedy}`,
    exitCode: EXIT.failed,
  })
})

test('an error that nobody expects is a bug', () => {
  let error: unknown
  try {
    openSync('/no/such/file', 'r')
  } catch (caught) {
    error = caught
  }
  expect(explain(error).sentence).toMatch(/^Unexpected error: ENOENT.* This is a bug; please report it\./)
})

test('an unexpected error exits with 4, because 1 is the verdict non-conformant', () => {
  expect(explain(new RangeError('Invalid string length'))).toEqual({
    sentence: expect.stringMatching(/^Unexpected error: Invalid string length\. This is a bug/),
    exitCode: 4,
  })
})

test('options of a server that are wrong are a usage error, and a port in use is none', () => {
  const cause = Object.assign(new Error('in use'), { syscall: 'listen' })
  expect(explain(new ServerError('Write host:port.')).exitCode).toBe(EXIT.usage)
  expect(explain(new ServerError('Stop the other server.', { cause })).exitCode).toBe(EXIT.failed)
})
