import { expect, test } from 'vitest'
import { declareTests } from './test-runner.ts'

/** What the tests of a runner do before the first one. */
const beginning = (options: Parameters<typeof declareTests>[0]) =>
  new Promise<void>((resolve, reject) => {
    declareTests(options, {
      describe: (_, declare) => declare(),
      test: () => {},
      before: (run) => run().then(resolve, reject),
      after: () => {},
    })
  })

test.each([
  ['an address', { token: 't' }, 'The base URL cannot be read.'],
  [
    'an address that `before` returns',
    { token: 't', before: () => ({ baseUrl: '' }) },
    'The base URL cannot be read.',
  ],
  ['a token', { baseUrl: 'http://127.0.0.1:4' }, 'token is undefined'],
])('tests of a target without %s fail', async (_, options, message) => {
  await expect(beginning(options)).rejects.toThrow(message)
})
