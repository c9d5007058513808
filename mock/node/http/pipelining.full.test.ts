import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { answerWhole } from '../../app/answer/answer.ts'
import { raw } from '../request.test-helper.ts'
import { listen } from './listen.ts'
import { createListener } from './listener.ts'

test('a pipelined request that the server does not read for longer than a client may take is answered', async () => {
  let asked = 0
  const answer = async () => {
    if (++asked === 1) await sleep(15_000)
    return answerWhole(200, 'x')
  }
  const listener = createListener({ answer, fetch: async () => Response.error() })
  const { origin, stop } = await listen(listener, { host: '127.0.0.1', port: 0 })
  const one = `GET / HTTP/1.1\r\nhost: localhost\r\nfiller: ${'-'.repeat(900)}\r\n`
  // the first read of node ends within a request
  const answers = await raw(origin, [`${one}\r\n`.repeat(200) + `${one}connection: close\r\n\r\n`])
  await stop()
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(201).fill('HTTP/1.1 200'))
})
