import { expect, test, vi } from 'vitest'

test('the first answer of a process has its end, also if its message is empty', async () => {
  vi.resetModules()
  const { answerRows } = await import('./encode.ts')
  const { createSettings } = await import('../../open-points/settings.ts')
  const settings = createSettings({ 'messages.success': 'empty' })
  const chunks = [new TextEncoder().encode('{"id":1}')]
  const { body } = await answerRows({ columns: ['id'], chunks }, settings, () => {}, 'http://mock.test/')
  expect(JSON.parse(new TextDecoder().decode(body as Uint8Array))).toEqual({
    data: [{ id: 1 }],
    status: { state: 'success', message: '' },
  })
})

test('a large body is in mapped memory, and a Response gets a copy of it', async () => {
  const [{ answerRows }, { createSettings }, { toResponse }] = await Promise.all([
    import('./encode.ts'),
    import('../../open-points/settings.ts'),
    import('./answer.ts'),
  ])
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
