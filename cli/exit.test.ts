import { openSync } from 'node:fs'
import { ServerError } from '../mock/index.ts'
import { expect, test } from 'vitest'
import { explain, EXIT } from './exit.ts'

test('a process without file descriptors names the limit to raise', () => {
  const error = Object.assign(new Error("EMFILE: too many open files, open '(scratch)'"), { code: 'EMFILE' })
  expect(explain(error)).toEqual({
    sentence:
      'Too many files and connections are open. Raise the limit, as with `ulimit -n 4096`, and start again.',
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
