import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultRowFormat, type ExecuteOptions, SqlError, type StatementEngine } from './engine.ts'
import { remembering } from './remembered.ts'

const utf8 = new TextEncoder()
const signal = new AbortController().signal

/** An engine that counts what it is asked, and numbers its answers. */
function counting(rowOf: (statement: string, n: number) => string = (_, n) => `{"n":${n}}`) {
  const asked: string[] = []
  const engine: StatementEngine = {
    async execute(statement) {
      asked.push(statement)
      if (statement === 'broken') throw new SqlError('other', 'broken', '22012')
      const chunks = [utf8.encode(rowOf(statement, asked.length))]
      return { columns: [], chunks: statement.startsWith('streamed') ? streamed(chunks) : chunks }
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

test('the same statement is run once', async () => {
  const { asked, engine } = counting()
  expect([await read(engine, 'a'), await read(engine, 'b'), await read(engine, 'a')]).toEqual([
    '{"n":1}',
    '{"n":2}',
    '{"n":1}',
  ])
  expect(asked).toEqual(['a', 'b'])
})

test('in another format, or with other rights, it is another one', async () => {
  const { asked, engine } = counting()
  await read(engine, 'a', { format: defaultRowFormat })
  await read(engine, 'a', { format: { ...defaultRowFormat, shape: 'array' } })
  await read(engine, 'a', { kinds: 'documented' })
  expect(asked).toHaveLength(3)
})

test.each([
  'SELECT now()',
  `SELECT id FROM v_bioprocesses WHERE last_updated_at > 'yesterday'`,
  'SELECT CURRENT_DATE',
  'SELECT random()',
  'SELECT gen_random_uuid()',
  'SELECT pg_sleep(1)',
  'SELECT age(run_start) FROM v_bioprocesses',
  'SELECT statement_timestamp()',
  'SELECT transaction_timestamp()',
  "SELECT U&'n\\006fw'::timestamptz",
  'streamed',
])('%s runs each time', async (statement) => {
  const { asked, engine } = counting()
  await read(engine, statement)
  await read(engine, statement)
  expect(asked).toHaveLength(2)
})

test('so does whatever calls a function that PostgreSQL calls volatile, and the gate lets through', async () => {
  const list = readFileSync(new URL('../gate/generated/functions.tsv', import.meta.url), 'utf8')
  const volatile = list
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, verdict, volatility]) => verdict === 'allowed' && volatility?.includes('v'))
    .map(([name]) => name!)
  expect(volatile).toContain('random')
  const { asked, engine } = counting()
  for (const name of [...volatile, ...volatile]) await read(engine, `SELECT ${name}()`)
  expect(asked).toHaveLength(2 * volatile.length)
})

test('rows that are to come in any order run each time', async () => {
  const { asked, engine } = counting()
  const format = { ...defaultRowFormat, order: 'random' } as const
  await read(engine, 'a', { format })
  await read(engine, 'a', { format })
  expect(asked).toHaveLength(2)
})

test('an error is none to be remembered', async () => {
  const { asked, engine } = counting()
  await expect(read(engine, 'broken')).rejects.toThrow('broken')
  await expect(read(engine, 'broken')).rejects.toThrow('broken')
  expect(asked).toHaveLength(2)
})

test('who has left is not answered', async () => {
  const { engine } = counting()
  await read(engine, 'a')
  const left = AbortSignal.abort(new Error('gone'))
  await expect(engine.execute('a', { signal: left })).rejects.toThrow('gone')
})

test('what was not asked for longest is forgotten, and large results are not kept', async () => {
  const { asked, engine } = counting((statement) => 'x'.repeat(statement === 'large' ? 2 << 20 : 900 << 10))
  for (const statement of ['large', 'large']) await read(engine, statement)
  expect(asked).toHaveLength(2)
  for (let i = 0; i < 20; i++) await read(engine, `s${i}`)
  await read(engine, 's19')
  expect(asked).toHaveLength(22)
  await read(engine, 's0')
  expect(asked).toHaveLength(23)
})
