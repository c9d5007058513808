import { expect, test } from 'vitest'
import { defaultSettings } from '../open-points/settings.ts'
import { type ExecuteOptions, SqlError, type StatementEngine } from '../statement.ts'
import { remembering } from './remembered.ts'

const utf8 = new TextEncoder()
const signal = new AbortController().signal

/** An engine that lists its statements and numbers its answers. */
function counting(rowOf: (statement: string, n: number) => string = (_, n) => `{"n":${n}}`) {
  const asked: string[] = []
  const engine: StatementEngine = {
    async execute(statement) {
      asked.push(statement)
      if (statement === 'broken') throw new SqlError('other', 'broken', '22012')
      const chunks = [utf8.encode(rowOf(statement, asked.length))]
      return {
        columns: [],
        chunks: statement.startsWith('streamed') ? streamed(chunks) : chunks,
        isRepeatable: statement !== 'changing',
      }
    },
    close: async () => {},
  }
  return { asked, engine: remembering(engine) }
}

async function* streamed(chunks: readonly Uint8Array[]) {
  yield* chunks
}

const read = async (engine: StatementEngine, statement: string, options: Partial<ExecuteOptions> = {}) => {
  const { chunks } = await engine.execute(statement, { signal, ...options })
  let text = ''
  for await (const chunk of chunks) text += new TextDecoder().decode(chunk)
  return text
}

test('runs a repeated statement once', async () => {
  const { asked, engine } = counting()
  expect([await read(engine, 'a'), await read(engine, 'b'), await read(engine, 'a')]).toEqual([
    '{"n":1}',
    '{"n":2}',
    '{"n":1}',
  ])
  expect(asked).toEqual(['a', 'b'])
})

test('runs a statement again under other settings', async () => {
  const { asked, engine } = counting()
  await read(engine, 'a')
  await read(engine, 'a', { settings: { ...defaultSettings, 'rows.shape': 'array' } })
  await read(engine, 'a', { settings: { ...defaultSettings, 'sql.accept': 'documented' } })
  expect(asked).toHaveLength(3)
})

test.each(['changing', 'streamed'])('runs each time: %s', async (statement) => {
  const { asked, engine } = counting()
  await read(engine, statement)
  await read(engine, statement)
  expect(asked).toHaveLength(2)
})

test('runs a statement each time if its rows come in random order', async () => {
  const { asked, engine } = counting()
  const settings = { ...defaultSettings, 'rows.order': 'random' } as const
  await read(engine, 'a', { settings })
  await read(engine, 'a', { settings })
  expect(asked).toHaveLength(2)
})

test('runs a statement that failed again', async () => {
  const { asked, engine } = counting()
  await expect(read(engine, 'broken')).rejects.toThrow('broken')
  await expect(read(engine, 'broken')).rejects.toThrow('broken')
  expect(asked).toHaveLength(2)
})

test('rejects a request that was aborted, also for a known statement', async () => {
  const { engine } = counting()
  await read(engine, 'a')
  const left = AbortSignal.abort(new Error('gone'))
  await expect(engine.execute('a', { signal: left })).rejects.toThrow('gone')
})

test('forgets the least recently used statement and keeps no large result', async () => {
  const { asked, engine } = counting((statement) => 'x'.repeat(statement === 'large' ? 2 << 20 : 900 << 10))
  for (const statement of ['large', 'large']) await read(engine, statement)
  expect(asked).toHaveLength(2)
  for (let i = 0; i < 20; i++) await read(engine, `s${i}`)
  await read(engine, 's19')
  expect(asked).toHaveLength(22)
  await read(engine, 's0')
  expect(asked).toHaveLength(23)
})
