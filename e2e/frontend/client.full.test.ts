import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createClient,
  type Client,
  type ClientOptions,
  type ColumnOf,
  type DateLiteral,
  StatementError,
  type ViewName,
} from '../../client/index.ts'
import * as errors from '../../client/errors.ts'
import { createSettings } from '../../mock/app/settings.ts'
import { viewChanges } from '../../mock/engine/views.ts'
import type { ViewChanges as Change } from '../../mock/open-points/view-change.ts'
import { createReference, type Reference } from '../../mock/index.ts'
import { undocumented, views } from '../../schemas/index.ts'

/** Every single variant beside the reference's own choice. */
const variants = undocumented.flatMap(({ knob, variants, default: own }) =>
  knob === null
    ? []
    : variants
        .filter(({ slug }) => slug !== own)
        .map(({ slug, standing }) => ({ knob, slug, standing, name: `${knob}=${slug}` })),
)

/** What a variant changes in the data; nothing for most. */
const changeOf = ({ knob, slug }: { knob: string; slug: string }): Change =>
  viewChanges(createSettings({ [knob]: slug }))[0] ?? {}

let reference: Reference
beforeAll(async () => {
  reference = await createReference({ scale: 0.01, timeLimitMs: 4000 })
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

/** What the reference gives without a variant, read once. */
const usual = new Map<string, Promise<object[]>>()
const once = (key: string, load: (client: Client) => Promise<object[]>): Promise<object[]> => {
  const known = usual.get(key) ?? load(clientUnder(''))
  usual.set(key, known)
  return known
}

const outcome = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error as StatementError,
  )
  return error?.name
}

/**
 * Rows without what a variant may write otherwise: order, of columns too, the digits and zone of timestamps, and the
 * columns that it is about.
 */
const comparable = (rows: readonly object[], change: Change = {}): string[] => {
  const about = Object.values(change).flatMap(({ columns = {} }) => Object.keys(columns))
  return rows
    .map((row) => Object.entries(row).filter(([name]) => !about.includes(name.replace(/^bioprocess_/, ''))))
    .map((row) =>
      JSON.stringify(row.sort(), (_, value: unknown) =>
        typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
          ? Math.floor(Date.parse(value.replace(/([+-]\d\d)$/, '$1:00')) / 1000)
          : value,
      ),
    )
    .sort()
}

const namesOf = (name: ViewName) =>
  views.find((view) => view.name === name)!.columns.map(({ name }) => name as never)

/** Bare arrays have no names: a client has to name its columns (NS-12). */
const isUnnamed = (name: string) => name === 'rows.shape=array'
/** The columns of the right view are not in the answer at all (NS-13). */
const losesLast = (name: string) => name === 'rows.duplicates=first'

/** A part of the rows is hidden, or all of one view. */
const hidesRows = (name: string) => name === 'auth.permission=rows-filtered'
const refuses = (name: string, view: ViewName) =>
  /^auth.permission=(403|permission-denied)$/.test(name) && view === 'v_formula_results'

describe('under every neutral variant', () => {
  const neutral = variants.filter(({ standing }) => standing === 'neutral')
  test('there are some', () => expect(neutral.length).toBeGreaterThan(100))

  describe.each(neutral)('$name', (variant) => {
    const { name, knob, slug } = variant
    const change = changeOf(variant)
    const options: Partial<ClientOptions> = {
      ...(knob === 'delta.literal' && slug !== 'all' && { dateLiteral: slug as DateLiteral }),
      // so many requests and no more: who waits for as long as the service says gets every answer
      ...(knob === 'rate.mode' && { retries: 5 }),
    }
    const client = () => clientUnder(name, options)

    test.each(['v_bioprocesses', 'v_formula_results', 'v_timeseries'] as const)(
      'rows of %s',
      async (view) => {
        const columns = namesOf(view)
        if (refuses(name, view))
          return expect(await outcome(read(client(), view, columns))).toBe('AccessRefused')
        const found = comparable(await read(client(), view, columns), change)
        const expected = comparable(await once(view, (client) => read(client, view, columns)), change)
        if (hidesRows(name)) {
          expect(expected).toEqual(expect.arrayContaining(found))
          return expect(found.length).toBeLessThan(expected.length)
        }
        expect(found).toEqual(expected)
        const all = read(client(), view)
        if (isUnnamed(name)) expect(await outcome(all)).toBe('UnexpectedAnswer')
        else
          expect(comparable(await all, change)).toEqual(comparable(await read(clientUnder(''), view), change))
      },
    )

    test('the join', async () => {
      const joined = client().timeseriesWithBioprocess()
      if (isUnnamed(name) || losesLast(name)) expect(await outcome(joined)).toBe('UnexpectedAnswer')
      else {
        const found = comparable(await joined, change)
        const expected = comparable(
          await once('joined', (client) => client.timeseriesWithBioprocess()),
          change,
        )
        if (hidesRows(name)) expect(expected).toEqual(expect.arrayContaining(found))
        else expect(found).toEqual(expected)
      }
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
      const all = await (hidesRows(name)
        ? read(client(), view)
        : once(`${view}.*`, (client) => read(client, view)))
      expect(new Set(comparable(first.given, change)).size).toBe(new Set(comparable(all, change)).size)
      const again = await load(first.cursor)
      expect(again.given.length).toBeLessThan(all.length)
      expect(again.cursor).toBe(first.cursor)
    })

    test('the class of every outcome', async () => {
      // told by no word: a syntax error is reported as any other failure
      const syntax = name === 'errors.sql-syntax=generic' ? 'ExecutionFailed' : 'StatementSyntaxError'
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

// A service that departs from the contract, or all but does, may give other rows: never an error without a class.
describe('under every other variant', () => {
  const others = variants.filter(({ standing }) => standing !== 'neutral')
  const classes = Object.entries(errors).flatMap(([name, value]) =>
    typeof value === 'function' && value.prototype instanceof StatementError ? [name] : [],
  )

  test.each(others)('$name: rows, or an error of a class', async ({ name }) => {
    const client = clientUnder(name)
    const outcomes = await Promise.all([
      ...(['v_bioprocesses', 'v_timeseries', 'v_formulas'] as const).map((view) =>
        outcome(read(client, view)),
      ),
      outcome(client.timeseriesWithBioprocess({ limit: 50 })),
      outcome(client.query('SELEC 1')),
      outcome(client.query('SELECT * FROM v_nope')),
    ])
    for (const one of outcomes) expect([undefined, ...classes]).toContain(one)
  })
})
