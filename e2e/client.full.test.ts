import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createClient,
  type Client,
  type ClientOptions,
  type ColumnOf,
  type DateLiteral,
  type StatementError,
  type ViewName,
} from '../client/index.ts'
import { createReference, type Reference } from '../mock/index.ts'
import { undocumented, views } from '../schemas/index.ts'

/** Every single variant that fails or warns nobody. */
const neutral = undocumented.flatMap(({ knob, variants, default: own }) =>
  knob === null
    ? []
    : variants
        .filter(({ slug, standing }) => slug !== own && standing === 'neutral')
        .map(({ slug }) => ({ knob, slug, name: `${knob}=${slug}` })),
)

let reference: Reference
beforeAll(async () => {
  reference = await createReference({ scale: 0.01, timeLimitMs: 10_000 })
})
afterAll(() => reference.close())

/** A client of the reference as it behaves under some variants, set by header. */
const clientUnder = (name: string, options: Partial<ClientOptions> = {}) =>
  createClient({
    baseUrl: reference.baseUrl,
    token: reference.token,
    fetch: reference.fetch,
    ...(name && { headers: { 'x-mock-variant': name } }),
    ...options,
  })

/** The rows of a view whose name is not known beforehand. */
const read = <V extends ViewName>(client: Client, view: V, columns?: readonly ColumnOf<V>[]) =>
  client.views[view].select({ ...(columns && { columns }), limit: 1000 })

const outcome = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error as StatementError,
  )
  return error?.name
}

/** Rows without what a variant may write otherwise: order, of columns too, and the digits and zone of timestamps. */
const comparable = (rows: readonly object[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(Object.entries(row).sort(), (_, value: unknown) =>
        typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
          ? Math.floor(Date.parse(value.replace(/([+-]\d\d)$/, '$1:00')) / 1000)
          : value,
      ),
    )
    .sort()

const namesOf = (name: ViewName) =>
  views.find((view) => view.name === name)!.columns.map(({ name }) => name as never)

/** Bare arrays have no names: a client has to name its columns (NS-12). */
const isUnnamed = (name: string) => name === 'rows.shape=array'
/** The columns of the right view are not in the answer at all (NS-13). */
const losesLast = (name: string) => name === 'rows.duplicates=first'

describe('under every neutral variant', () => {
  test('there are some', () => expect(neutral.length).toBeGreaterThan(25))

  describe.each(neutral)('$name', ({ name, knob, slug }) => {
    const spelling = knob === 'delta.literal' && slug !== 'all' ? { dateLiteral: slug as DateLiteral } : {}
    const client = () => clientUnder(name, spelling)

    test.each(['v_bioprocesses', 'v_formula_results', 'v_timeseries'] as const)(
      'rows of %s',
      async (view) => {
        const columns = namesOf(view)
        const [expected, found] = await Promise.all(
          [clientUnder(''), client()].map((each) => read(each, view, columns)),
        )
        expect(comparable(found!)).toEqual(comparable(expected!))
        const all = read(client(), view)
        if (isUnnamed(name)) expect(await outcome(all)).toBe('UnexpectedAnswer')
        else expect(comparable(await all)).toEqual(comparable(await read(clientUnder(''), view)))
      },
    )

    test('the join', async () => {
      const joined = client().timeseriesWithBioprocess()
      if (isUnnamed(name) || losesLast(name)) expect(await outcome(joined)).toBe('UnexpectedAnswer')
      else
        expect(comparable(await joined)).toEqual(comparable(await clientUnder('').timeseriesWithBioprocess()))
    })

    test.each(['v_timeseries', 'v_archived_records'] as const)('changes of %s', async (view) => {
      const load = async (since?: string) => {
        const given: object[] = []
        let cursor = ''
        const columns = namesOf(view)
        for await (const delta of client().deltas(view, { ...(since && { since }), columns })) {
          given.push(...delta.rows)
          cursor = delta.cursor
        }
        return { given, cursor }
      }
      const first = await load()
      const all = await read(clientUnder(''), view)
      expect(new Set(comparable(first.given)).size).toBe(new Set(comparable(all)).size)
      const again = await load(first.cursor)
      expect(again.given.length).toBeLessThan(all.length)
      expect(again.cursor).toBe(first.cursor)
    })

    test('the class of every outcome', async () => {
      // told by no word: a syntax error is reported as any other failure
      const syntax = name === 'err.sqlSyntax=generic' ? 'ExecutionFailed' : 'StatementSyntaxError'
      const { query } = client()
      expect(await outcome(query('SELEC 1'))).toBe(syntax)
      expect(await outcome(query('SELECT * FROM v_nope'))).toBe('UnknownView')
      expect(await outcome(query('SELECT 1/0'))).toBe('ExecutionFailed')
      expect(await outcome(clientUnder(name, { token: 'wrong' }).query('SELECT 1'))).toBe('AccessRefused')
      if (knob.startsWith('timeout.'))
        expect(await outcome(query('SELECT pg_sleep(20)'))).toBe('TimeLimitExceeded')
    })
  })
})
