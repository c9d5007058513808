import * as fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { views } from '../../../schemas/index.ts'
import { Session } from '../../engine/session/session.ts'
import { Shapes } from '../../engine/session/shapes.ts'
import { admit, loadParser } from '../../gate/gate.ts'
import { fuzzing, mutated, readOnlySelect } from '../../gate/fuzz.test-helper.ts'
import { type Literal, type Template, templateOf } from '../../gate/literals.ts'
import { parseStatements } from '../../gate/parser.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import { SqlError } from '../../statement.ts'
import { loadArtifacts } from './artifacts.ts'
import { createSnapshot } from './index.ts'
import { jsonOf } from './plant.test-helper.ts'

let session: Session
beforeAll(async () => {
  await loadParser()
  session = await Session.open(await createSnapshot({ scale: 0.01 }), await loadArtifacts())
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const numbers = ['0', '1', '7', '60', '250', '2147483647', '2147483648', '9223372036854775807', '1.5', '0.0']
const texts = ['pH', 'p%', "it''s", '', 'x y', 'Completed', 'today']
const times = ['2025-11-01', '2025-12-20T00:00:00Z', '2025-12-31 10:00:00.123456+02', 'now', '']

/** Places in which a literal may stand: `?n` for a number, `?s` for a text, `?t` for a time, `?` for any of them. */
const conditions =
  `a.last_updated_at > ?t | ?t < a.last_updated_at | a.id = ?s | a.id <> ?s | a.id IN (?s, ?s) | a.id LIKE ?s
  | ?n = ?n | ?n >= ?n | ?n < ? | a.id NOT IN (?s) | a.id NOT BETWEEN ?s AND ?s | a.last_updated_at BETWEEN ?t AND ?t
  | length(a.id) > ?n | length(a.id) > -?n | a.id <> ?s::text | a.last_updated_at > ?t::timestamptz
  | a.last_updated_at > timestamptz ?t | a.id <> substr(?s, ?n) | round(?n, ?n) > ?n | a.id ~ ?s | a.id <> all(ARRAY[?s, ?s])
  | a.last_updated_at > now() - interval ?s | length(a.id) > .?n | CASE WHEN a.id = ?s THEN ?n > ?n ELSE true END
  | a.id <> (SELECT max(b.id) FROM v_quantities b WHERE b.name <> ?s) | a.id <> ?s COLLATE "C" | a.id::varchar(?n) <> ?s
  | a.last_updated_at > (SELECT min(last_updated_at) FROM v_formulas WHERE name <> ?s LIMIT ?n) | a.id = ? | ? <> ?`
    .split('|')
    .map((part) => part.trim())
const tails =
  'LIMIT ?n | LIMIT ?n | ORDER BY 1 LIMIT ?n | ORDER BY ? LIMIT ?n | OFFSET ?n | LIMIT ?n OFFSET ?n | LIMIT ? | FETCH FIRST ?n ROWS ONLY | LIMIT 1 + ?n | GROUP BY 1 |'
    .split('|')
    .map((part) => part.trim())
const targets = ['a.id', 'count(*)', '?', 'a.id, ?n', 'a.id || ?s', 'a.*', 'DISTINCT a.id']

/** Statements with literals in many places, most of which mean something. */
const withLiterals: fc.Arbitrary<string> = fc
  .record({
    view: fc.constantFrom(
      ...views.filter(({ columns }) => columns[0]!.name === 'id').map(({ name }) => name),
    ),
    target: fc.constantFrom(...targets),
    conditions: fc.array(fc.constantFrom(...conditions), { minLength: 1, maxLength: 3 }),
    tail: fc.constantFrom(...tails),
    values: fc.array(fc.nat(), { minLength: 24, maxLength: 24 }),
  })
  .map(({ view, target, conditions, tail, values }) => {
    let next = 0
    const one = (list: readonly string[]) => list[values[next++ % values.length]! % list.length]!
    return `SELECT ${target} FROM ${view} a WHERE ${conditions.join(' AND ')} ${tail}`.replaceAll(
      /\?[nst]?/g,
      (place) =>
        place === '?n'
          ? one(numbers)
          : `'${one(place === '?s' ? texts : place === '?t' ? times : [...texts, ...times])}'`,
    )
  })

/** Sources whose columns are constants, at least in part: `kind`, `id` and `n`. */
const constantSources = `(SELECT ?s AS kind, id, ?n AS n FROM v_formulas) s
  | (SELECT ?s AS kind, id, ?n AS n FROM v_bioprocesses UNION ALL SELECT ?s, id, ?n FROM v_experiments) s
  | (SELECT ?s AS kind, id, ?n AS n FROM v_formulas EXCEPT SELECT ?s, id, ?n FROM v_experiments WHERE id <> ?s) s
  | (SELECT name AS kind, id, ?n AS n FROM v_quantities INTERSECT SELECT name, id, ?n FROM v_quantities WHERE name = ?s OR ?n > ?n) s
  | (VALUES (?s, 'x', ?n), (?s, 'y', ?n)) s(kind, id, n)
  | (SELECT name AS kind, id, length(name) AS n FROM v_quantities WHERE name <> ?s) s
  | w s | w s`
  .split(/\n? *\| /)
  .map((part) => part.trim())
const guards =
  '?n = ?n | ?n > ?n | s.kind = ?s | s.kind <> ?s | s.n = ?n | s.n <> 0 | s.id = ?s | s.id IN (?s, ?s) | b.id > ?s | ?n BETWEEN ?n AND ?n | s.n BETWEEN ?n AND ?n'.split(
    ' | ',
  )
const failures =
  'mod(10, s.n) = ?n | mod(?n, ?n) = ?n | ?s::text::int = ?n | s.kind::text::int = ?n | 1 / s.n > ?n | b.id::int = ?n | b.last_updated_at > ?t | b.last_updated_at > ?s::text::timestamptz'.split(
    ' | ',
  )
const guardedBy =
  `G AND F | F AND G | G OR F | NOT (G AND F) | NOT G OR F | G AND (G OR F) | CASE WHEN G THEN true ELSE F END | G
  | CASE WHEN G THEN F WHEN G THEN true ELSE G END | coalesce(nullif(G, true), F) | G AND EXISTS (SELECT 1 FROM v_formulas c WHERE c.id = s.id AND F)`.split(
    /\n? *\| /,
  )
const joins = ['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'FULL JOIN']

/** Statements in which constants keep a part that fails from being computed, or not. */
const guardedFailures: fc.Arbitrary<string> = fc
  .record({
    source: fc.constantFrom(...constantSources),
    join: fc.constantFrom(...joins),
    view: fc.constantFrom('v_experiments', 'v_formulas', 'v_quantities'),
    on: fc.constantFrom(...guardedBy, 's.id = b.id', 's.id = b.id AND G', 's.id = b.id AND F'),
    where: fc.constantFrom(...guardedBy),
    target: fc.constantFrom('count(*)', 's.*', 's.kind, b.id', 's.n, b.id IS NULL AS without'),
    tail: fc.constantFrom('', 'LIMIT 7', 'LIMIT 300', 'LIMIT 5 OFFSET ?n'),
    values: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
  })
  .map(({ source, join, view, on, where, target, tail, values }) => {
    let next = 0
    const one = (list: readonly string[]) => list[values[next++ % values.length]! % list.length]!
    const condition = (form: string) =>
      form.replaceAll(/\b[GF]\b/g, (part) => one(part === 'G' ? guards : failures))
    const from = `FROM ${source} ${join} ${view} b ON ${condition(on)}`
    const named = source.startsWith('w ') ? 'WITH w AS (SELECT ?s AS kind, id, ?n AS n FROM v_formulas) ' : ''
    const few = ['0', '1', '2', '2.5']
    return `${named}SELECT ${target} ${from} WHERE ${condition(where)} ${tail}`.replaceAll(
      /\?[nst]/g,
      (place) =>
        place === '?n' ? one(few) : `'${one(place === '?s' ? ['a', 'pH', '1', '2025-11-01'] : times)}'`,
    )
  })

const valuesLike = ({ kind, value }: Literal): fc.Arbitrary<string> => {
  if (kind === 'text') {
    const like = fc.constantFrom(...(times.includes(value) ? times : texts))
    return fc
      .oneof({ weight: 6, arbitrary: like }, fc.constantFrom(...texts, ...times))
      .map((text) => `'${text}'`)
  }
  if (kind === 'int4') return fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2_147_483_647 })).map(String)
  return kind === 'int8'
    ? fc.constantFrom('2147483648', '9223372036854775807')
    : fc.constantFrom('0.5', '12.25', '9223372036854775808')
}

/** The same statement with other values of the same kinds. */
const withOtherValues = (statement: string, { literals }: Template): fc.Arbitrary<string> =>
  fc.tuple(...literals.map(valuesLike)).map((values) => {
    let changed = ''
    let copied = 0
    for (const [index, { start, end }] of literals.entries()) {
      changed += statement.slice(copied, start) + values[index]
      copied = end
    }
    return changed + statement.slice(copied)
  })

/** A statement with a template, and another one of the same template. */
const pair = fc
  .oneof(withLiterals, guardedFailures, guardedFailures, readOnlySelect, mutated(withLiterals))
  .map((statement) => ({ statement, template: templateOf(statement) }))
  .filter(({ template }) => template !== undefined)
  .chain(({ statement, template }) =>
    withOtherValues(statement, template!).map((other) => ({ statement, other, template: template! })),
  )

const placeNames = new Set(['location', 'stmt_len', 'rexpr_list_start', 'rexpr_list_end'])

/** The parse tree without places and values of constants; `refused` for a statement that does not parse. */
function treeOf(statement: string): string {
  try {
    return JSON.stringify(
      parseStatements(statement).map(({ tree }) => tree),
      (name, value: object) => {
        if (name === 'A_Const') return Object.keys(value)[0]
        return placeNames.has(name) ? undefined : value
      },
    )
  } catch {
    return 'refused'
  }
}

function admissionOf(statement: string): unknown {
  try {
    return admit(statement).map(({ ordered, sources }) => ({ ordered, sources }))
  } catch (error) {
    return (error as SqlError).kind
  }
}

/** The rows of a statement, or the SQLSTATE of its failure. */
const outcomeOf = (statement: string, settings = defaultSettings): Promise<string> =>
  jsonOf(session, statement, settings).catch((error: unknown) => {
    if (error instanceof SqlError) return `failed: ${error.sqlState} ${error.message}`
    throw error
  })

/** The same of a statement that shares nothing. */
const unshared = (statement: string): Promise<string> => outcomeOf(statement, { ...defaultSettings })

const statement = (n: number) => `SELECT * FROM v_experiments WHERE id <> '${n}' LIMIT 1`

const before = (time: string) => `SELECT id FROM v_experiments WHERE last_updated_at < '${time}' LIMIT 2`

const since = (time: string) =>
  `SELECT DISTINCT a.id FROM v_formula_results a WHERE a.last_updated_at > '${time}' LIMIT 60`

/** Statements whose constants keep PostgreSQL from computing a part that fails. */
const guarded = `
  SELECT a.id, b.id AS b FROM v_quantities a FULL JOIN v_experiments b ON 1 = 1 LIMIT 3
  SELECT count(*) FROM v_experiments a FULL JOIN v_formulas c ON 1 <> 1
  SELECT count(*) FROM v_experiments a FULL JOIN v_formulas c ON 1 = 1 AND 2 > 1
  SELECT a.id, c.id AS c FROM v_experiments a FULL JOIN v_formulas c ON NOT 1 = 2 LIMIT 9
  SELECT count(*) FROM v_experiments WHERE 1 = 0 AND 'a'::text::int = 1
  SELECT count(*) FROM v_experiments WHERE 1 = 0 AND mod(1, 0) = 1
  SELECT count(*) FROM v_experiments WHERE 1 = 1 OR mod(1, 0) = 1
  SELECT count(*) FROM v_experiments WHERE NOT (1 = 0 AND mod(1, 0) = 1)
  SELECT count(*) FROM v_experiments WHERE CASE WHEN 1 = 1 THEN true ELSE mod(1, 0) = 1 END
  SELECT count(*) FROM v_experiments WHERE CASE WHEN 1 > 2 THEN 'a'::text::int = 1 ELSE true END
  SELECT count(*) FROM v_experiments a LEFT JOIN v_formulas c ON 1 = 0 AND mod(1, 0) = 1
  SELECT count(*) FROM v_experiments a JOIN v_formulas c ON 1 = 1 OR 'a'::text::int = 1
  SELECT count(*) FROM (SELECT 1 AS n FROM v_experiments) s WHERE n = 1 OR mod(1, 0) = 1
  SELECT count(*) FROM (SELECT 'a' AS kind FROM v_experiments) s WHERE kind = 'b' AND kind::text::int = 1
  SELECT count(*) FROM (SELECT id, 0 AS n FROM v_experiments) s WHERE n <> 0 AND mod(1, n) = 1
  SELECT count(*) FROM (SELECT 'run' AS kind, id, 1 AS n FROM v_bioprocesses UNION ALL SELECT 'exp', id, 0 FROM v_experiments) s WHERE kind = 'run' AND mod(10, n) = 0
  SELECT count(*) FROM (SELECT 'q' AS kind, '1' AS v FROM v_quantities UNION ALL SELECT 'f', 'x' FROM v_formulas) s WHERE kind = 'q' AND v::text::int = 1
  SELECT count(*) FROM (VALUES (0)) s(d) WHERE d = 0 OR mod(1, d) = 1
  WITH s AS (SELECT 0 AS d) SELECT count(*) FROM s WHERE d = 0 OR mod(1, d) = 1
  WITH s AS (SELECT 'none' AS unit, 0 AS d FROM v_quantities) SELECT count(*) FROM s WHERE unit <> 'none' AND mod(1, d) = 1`
  .trim()
  .split('\n')
  .map((line) => line.trim())

describe('statements of one template', () => {
  test.each(guarded)('do not compute what their constants rule out: %s', async (statement) => {
    const plain = await unshared(statement)
    expect(plain).not.toContain('failed')
    for (let n = 0; n < 2; n++) expect(await outcomeOf(statement)).toBe(plain)
  })

  test('have the same tree but for constants, and the same admission', () => {
    let parsed = 0
    fc.assert(
      fc.property(pair, ({ statement, other, template }) => {
        expect(templateOf(other)?.key).toBe(template.key)
        const tree = treeOf(statement)
        if (tree !== 'refused') parsed += 1
        expect(treeOf(other), `${statement}\n${other}`).toBe(tree)
        expect(admissionOf(other), `${statement}\n${other}`).toEqual(admissionOf(statement))
      }),
      { ...fuzzing, numRuns: fuzzing.numRuns * 5 },
    )
    expect(parsed).toBeGreaterThan(fuzzing.numRuns)
  })

  test('have the rows and errors that they have without shapes', async () => {
    // now() gives the same each time
    vi.useFakeTimers({ toFake: ['Date'] })
    let answered = 0
    const find = vi.spyOn(Shapes.prototype, 'find')
    await fc.assert(
      fc.asyncProperty(pair, async ({ statement, other }) => {
        // the second statement is the first that only runs a prepared one
        await outcomeOf(other)
        for (const each of [statement, other]) {
          const usual = await unshared(each)
          if (!usual.startsWith('failed')) answered += 1
          expect(await outcomeOf(each), each).toBe(usual)
        }
      }),
      fuzzing,
    )
    expect(answered).toBeGreaterThan(fuzzing.numRuns / 4)
    const shared = find.mock.results.filter(({ value }) => value !== undefined).length
    expect(shared).toBeGreaterThan(fuzzing.numRuns / 4)
  })

  test.each([
    ["SELECT now() = 'now' AS same", "SELECT now() = 'now' AS same"],
    ["SELECT now() >= 'now' AS same WHERE 1 = 1", "SELECT now() >= 'now' AS same WHERE 1 = 1"],
    [
      "SELECT count(*) FROM (SELECT '2025-01-01'::date AS d, '2025-01-02 05:00+00'::timestamptz AS t) s WHERE '2025-01-02 01:00' BETWEEN d AND t",
      "SELECT count(*) FROM (SELECT '2025-01-01'::date AS d, '2025-01-02 05:00+00'::timestamptz AS t) s WHERE '2025-01-02 09:00' BETWEEN d AND t",
    ],
    [
      "SELECT id FROM (SELECT id, 1.5 AS n, 3 AS i FROM v_experiments) s WHERE '2' BETWEEN n AND i LIMIT 3",
      "SELECT id FROM (SELECT id, 1.5 AS n, 3 AS i FROM v_experiments) s WHERE '2.5' BETWEEN n AND i LIMIT 3",
    ],
    [
      'SELECT 1 = 1 AS e, count(*) FROM v_experiments GROUP BY ROLLUP (1 = 1)',
      'SELECT 1 = 2 AS e, count(*) FROM v_experiments GROUP BY ROLLUP (1 = 2)',
    ],
    [
      "SELECT count(*) FROM v_experiments GROUP BY DISTINCT CUBE (id = 'x', id = 'x')",
      "SELECT count(*) FROM v_experiments GROUP BY DISTINCT CUBE (id = 'y', id = 'y')",
    ],
    [
      "SELECT id, row_number() OVER (ORDER BY name > 'a'), row_number() OVER (ORDER BY name DESC), row_number() OVER (ORDER BY name > 'a') FROM v_formulas",
      "SELECT id, row_number() OVER (ORDER BY name > 'G'), row_number() OVER (ORDER BY name DESC), row_number() OVER (ORDER BY name > 'G') FROM v_formulas",
    ],
    [
      "SELECT last_updated_at > '2025-01-01' FROM (SELECT last_updated_at FROM v_experiments WHERE last_updated_at > '2025-01-01') s LIMIT 2",
      "SELECT last_updated_at > 'bad1' FROM (SELECT last_updated_at FROM v_experiments WHERE last_updated_at > 'bad2') s LIMIT 2",
    ],
  ])('have the outcome that they have without shapes: %s', async (first, second) => {
    await outcomeOf(first)
    const found = await outcomeOf(second)
    expect(found).toBe(await unshared(second))
  })

  test('return their rows in the same order each time', async () => {
    const first = await outcomeOf(since('2025-12-20'))
    for (const time of ['2000-01-01', '2030-01-01', '2025-12-20T00:00:00Z'])
      for (let n = 0; n < 6; n++) await outcomeOf(since(time))
    expect(await outcomeOf(since('2025-12-20'))).toBe(first)
  })

  test('are repeatable unless their own parameters mean the current time', async () => {
    const repeatable: boolean[] = []
    for (const time of ['now', 'now', '2030-01-01', 'now'])
      for await (const page of session.run(before(time))) repeatable.push(page.isRepeatable)
    expect(repeatable).toEqual([false, false, true, false])
  })

  test('run on their own if the database has lost their prepared statement', async () => {
    await outcomeOf(statement(8))
    expect(await session.attempt('DEALLOCATE ALL')).toBeUndefined()
    for (const n of [9, 10]) expect(await outcomeOf(statement(n))).toBe(await unshared(statement(n)))
  })

  test('of many sources do not fill the memory of the engine', async () => {
    const sources = Array.from({ length: 18 }, () => 'EXISTS(TABLE v_formula_results)').join(' OR ')
    for (let n = 0; n < 250; n++)
      for (const value of [2, 3]) await outcomeOf(`SELECT 1 AS z${n} WHERE ${sources} OR 1 > ${value}`)
    expect(session.needsReplacement).toBe(false)
  })

  test('have other columns after the views have changed', async () => {
    const additive = { ...defaultSettings, 'schema.extra': 'additive' } as const
    for (const n of [1, 2, 3]) await outcomeOf(statement(n))
    expect(await outcomeOf(statement(4), additive)).toContain('"site"')
    for (const n of [5, 6, 7]) expect(await outcomeOf(statement(n))).not.toContain('"site"')
  })
})
