import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createClient,
  type Client,
  type ClientOptions,
  type ColumnOf,
  type DateLiteral,
  StatementError,
  type ViewName,
} from '../../../client/index.ts'
import * as errors from '../../../client/errors.ts'
import { createSettings } from '../../../mock/open-points/settings.ts'
import { viewChanges } from '../../../mock/engine/views/views.ts'
import type { ViewChanges as Change } from '../../../mock/open-points/view-change.ts'
import { createReference, type Reference } from '../../../mock/index.ts'
import { smallestPlant } from '../../proof/support/self-proof.ts'
import { openPoints, views } from '../../../schemas/index.ts'

/** Every variant that is not a default. */
const variants = openPoints.flatMap(({ id, variants, default: usual }) =>
  variants
    .filter(({ slug }) => slug !== usual)
    .map(({ slug, standing }) => ({ id, slug, standing, name: `${id}=${slug}` })),
)

/** The changes of a variant to the data; most have none. */
const changeOf = ({ id, slug }: { id: string; slug: string }): Change =>
  viewChanges(createSettings({ [id]: slug }))[0] ?? {}

let reference: Reference
beforeAll(async () => {
  reference = await createReference({ ...smallestPlant, timeLimitMs: 4000 })
})
afterAll(() => reference.close())

/** A client of the reference with variants, which a header sets. */
const clientUnder = (name: string, options: Partial<ClientOptions> = {}) =>
  createClient({
    baseUrl: reference.baseUrl,
    token: reference.token,
    fetch: reference.fetch,
    ...(name && { headers: { 'x-mock-variant': name } }),
    ...options,
  })

/** Reads the rows of a view. */
const read = <V extends ViewName>(client: Client, view: V, columns?: readonly ColumnOf<V>[]) =>
  client.views[view].select({ ...(columns && { columns }), limit: 1000 })

/** The rows of the reference with its default variants, read once. */
const usual = new Map<string, Promise<object[]>>()
const usually = <V extends ViewName>(view: V, columns?: readonly ColumnOf<V>[]): Promise<object[]> => {
  const key = `${view} ${columns}`
  const known = usual.get(key) ?? read(clientUnder(''), view, columns)
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
 * Rows in a form that is the same for all variants: in one order of rows and columns, with timestamps in seconds, and
 * without the columns that the variant changes.
 */
const comparable = (rows: readonly object[], change: Change = {}): string[] => {
  const about = Object.values(change).flatMap(({ columns = {} }) => Object.keys(columns))
  return rows
    .map((row) => Object.entries(row).filter(([name]) => !about.includes(name.replace(/^bioprocess_/, ''))))
    .map((row) =>
      // in the text, because JSON.stringify would ask about each of the many numbers, too
      JSON.stringify(row.sort()).replaceAll(/(?<!\\)"(\d{4}-\d\d-\d\dT[^"\\]*)"/g, (_, time: string) =>
        String(Math.floor(Date.parse(time.replace(/([+-]\d\d)$/, '$1:00')) / 1000)),
      ),
    )
    .sort()
}

const namesOf = (name: ViewName) =>
  views.find((view) => view.name === name)!.columns.map(({ name }) => name as never)

/** Arrays have no column names: a client has to list its columns. */
const isUnnamed = (name: string) => name === 'rows.shape=array'
/** Some of the rows are hidden. */
const hidesRows = (name: string) => name === 'auth.permission=rows-filtered'
const refuses = (name: string, view: ViewName) =>
  /^auth.permission=(403|permission-denied)$/.test(name) && view === 'v_formula_results'

// client/habits.full.test.ts uses every method of the client under every variant; here whole rows and errors are compared.
describe('a client of a server with a neutral variant', () => {
  const neutral = variants.filter(({ standing }) => standing === 'neutral')
  test('is tested with more than a hundred variants', () => expect(neutral.length).toBeGreaterThan(100))

  describe.each(neutral)('$name', (variant) => {
    const { name, id, slug } = variant
    const change = changeOf(variant)
    const options: Partial<ClientOptions> = {
      ...(id === 'delta.literal' && slug !== 'all' && { dateLiteral: slug as DateLiteral }),
      // the rate is limited: a client that waits as long as the service says gets every answer
      ...(id === 'rate.mode' && { retries: 5 }),
    }
    const client = () => clientUnder(name, options)

    test.each(['v_bioprocesses', 'v_formula_results', 'v_timeseries'] as const)(
      'reads the rows of %s',
      async (view) => {
        const columns = namesOf(view)
        if (refuses(name, view))
          return expect(await outcome(read(client(), view, columns))).toBe('AccessRefused')
        const found = comparable(await read(client(), view, columns), change)
        const expected = comparable(await usually(view, columns), change)
        if (hidesRows(name)) {
          expect(expected).toEqual(expect.arrayContaining(found))
          return expect(found.length).toBeLessThan(expected.length)
        }
        expect(found).toEqual(expected)
        const all = read(client(), view)
        if (isUnnamed(name)) expect(await outcome(all)).toBe('UnexpectedAnswer')
        else expect(comparable(await all, change)).toEqual(comparable(await usually(view), change))
      },
    )

    test('throws the error class of every outcome', async () => {
      // this variant reports a syntax error like any other failure
      const syntax = name === 'errors.sql-syntax=generic' ? 'ExecutionFailed' : 'StatementSyntaxError'
      const { query } = client()
      expect(await outcome(query('SELEC 1'))).toBe(syntax)
      expect(await outcome(query('SELECT * FROM v_nope'))).toBe('UnknownView')
      expect(await outcome(query('SELECT 1/0'))).toBe('ExecutionFailed')
      expect(await outcome(clientUnder(name, { token: 'wrong' }).query('SELECT 1'))).toBe('AccessRefused')
    })
  })

  test('throws TimeLimitExceeded at the limit of a statement, whatever the answer looks like', async () => {
    const limits = neutral.filter(({ id }) => id.startsWith('timeout.'))
    // engines that end are replaced; a client that waits as long as the service says gets one
    const outcomes = limits.map(({ name }) =>
      outcome(clientUnder(name, { retries: 20 }).query('SELECT pg_sleep(20)')),
    )
    expect(await Promise.all(outcomes)).toEqual(limits.map(() => 'TimeLimitExceeded'))
    expect(limits.length).toBeGreaterThan(4)
  })
})

// A service that departs from the contract may return other rows, but never causes an unknown error.
describe('a client of a server with a variant that is not neutral', () => {
  const others = variants.filter(({ standing }) => standing !== 'neutral')
  const classes = Object.entries(errors).flatMap(([name, value]) =>
    typeof value === 'function' && value.prototype instanceof StatementError ? [name] : [],
  )

  test.each(others)('gets rows or an error of a known class: $name', async ({ name }) => {
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
