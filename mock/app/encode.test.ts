import { expect, test, vi } from 'vitest'

test('the first answer of a process has its end, also if its message is empty', async () => {
  vi.resetModules()
  const { answerRows } = await import('./encode.ts')
  const { createSettings } = await import('./settings.ts')
  const settings = createSettings({ 'messages.success': 'empty' })
  const chunks = [new TextEncoder().encode('{"id":1}')]
  const { body } = await answerRows({ columns: ['id'], chunks }, settings, () => {}, 'http://mock.test/')
  expect(JSON.parse(new TextDecoder().decode(body as Uint8Array))).toEqual({
    data: [{ id: 1 }],
    status: { state: 'success', message: '' },
  })
})
