import { expect, test } from 'vitest'
import { createSettings } from '../../open-points/settings.ts'
import { toResponse } from './answer.ts'
import { answerRows } from './encode.ts'

test('the first answer of a process has its end, also if its message is empty', async () => {
  // a module that has not been used, as in a new process; to reset all modules would make the files after this one load them again
  const unused = './encode.ts?unused'
  const encode = (await import(/* @vite-ignore */ unused)) as typeof import('./encode.ts')
  const settings = createSettings({ 'messages.success': 'empty' })
  const chunks = [new TextEncoder().encode('{"id":1}')]
  const { body } = await encode.answerRows(
    { columns: ['id'], chunks },
    settings,
    () => {},
    'http://mock.test/',
  )
  expect(JSON.parse(new TextDecoder().decode(body as Uint8Array))).toEqual({
    data: [{ id: 1 }],
    status: { state: 'success', message: '' },
  })
})

test('a large body is in mapped memory, and a Response gets a copy of it', async () => {
  const text = 'x'.repeat(1 << 20)
  const chunks = [new TextEncoder().encode(JSON.stringify({ text }))]
  const answer = await answerRows(
    { columns: ['text'], chunks },
    createSettings({}),
    () => {},
    'http://mock.test/',
  )
  expect((answer.body as Uint8Array).buffer).toMatchObject({ resizable: true })
  expect(await toResponse(answer).json()).toMatchObject({ data: [{ text }] })
})
