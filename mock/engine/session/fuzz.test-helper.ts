import * as fc from 'fast-check'
import { views } from '../../../schemas/index.ts'

/** Runs of a fuzzing property; the seed is fixed, so that a failure in CI is a failure everywhere. */
export const fuzzing = { seed: 20_250_301, numRuns: Number(process.env['FUZZ_RUNS'] ?? 400) } as const

type View = (typeof views)[number]

const literal = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((n) => n.toFixed(3)),
  fc
    .string({ unit: 'grapheme', maxLength: 8 })
    .map((text) => `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`),
  fc.constantFrom('NULL', 'true', 'false', 'now()', "DATE '2025-03-01'", "interval '1 day'"),
)

const binary = (operators: readonly string[], operand: fc.Arbitrary<string>) =>
  fc
    .tuple(operand, fc.constantFrom(...operators), operand)
    .map(([left, operator, right]) => `(${left} ${operator} ${right})`)
const call = (names: readonly string[], operand: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom(...names), operand).map(([name, value]) => `${name}(${value})`)

/**
 * Expressions over the columns of a view that the query calls `alias`. Most are texts throughout, so that they
 * run; the rest put types together that may not fit, so that they fail.
 */
function expressionOver(view: View, alias: string): fc.Arbitrary<string> {
  const column = fc.constantFrom(...view.columns.map(({ name }) => `${alias}.${name}`))
  const { text, any } = fc.letrec<{ text: string; any: string }>((tie) => ({
    text: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(column, literal).map((value) => `(${value})::text`),
      binary(['||'], tie('text')),
      call(['upper', 'md5', 'reverse', 'quote_literal'], tie('text')),
      call(['to_json', 'length', 'ascii'], tie('text')).map((value) => `${value}::text`),
      binary(['=', '<', 'LIKE', 'IS DISTINCT FROM'], tie('text')).map((test) => `${test}::text`),
      tie('text').map((value) => `coalesce(${value}, '-')`),
      fc.tuple(tie('text'), tie('text')).map(([when, then]) => `CASE WHEN ${when} IS NULL THEN ${then} END`),
      fc.tuple(tie('text'), tie('text')).map(([a, b]) => `ARRAY[${a}, ${b}]::text`),
    ),
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      column,
      literal,
      binary(['=', '<', '+', '-', '*', '/', '->', '->>', '@>'], tie('any')),
      call(['abs', 'round', 'jsonb_typeof', 'date_part', 'unnest', 'sum', 'row_to_json'], tie('any')),
      fc
        .tuple(tie('any'), fc.constantFrom('text', 'jsonb', 'float8', 'timestamptz', 'numeric'))
        .map(([value, type]) => `(${value})::${type}`),
    ),
  }))
  return fc.oneof({ weight: 12, arbitrary: text }, { weight: 1, arbitrary: any })
}

const selectOver = (view: View, depth: number): fc.Arbitrary<string> => {
  const expression = expressionOver(view, 'a')
  const filter = depth > 0 ? fc.oneof(expression, subquery(depth - 1)) : expression
  return fc
    .record({
      distinct: fc.constantFrom('', 'DISTINCT '),
      targets: fc.array(expression, { minLength: 1, maxLength: 4 }),
      join: fc.option(fc.constantFrom(...views)),
      where: fc.option(filter),
      order: fc.option(expression),
      limit: fc.integer({ min: 0, max: 20 }),
    })
    .map(({ distinct, targets, join, where, order, limit }) =>
      [
        `SELECT ${distinct}${targets.join(', ')} FROM ${view.name} a`,
        join && `LEFT JOIN ${join.name} b ON a.last_updated_at = b.last_updated_at`,
        where && `WHERE ${where} IS NOT NULL`,
        order && `ORDER BY ${order}`,
        `LIMIT ${limit}`,
      ]
        .filter(Boolean)
        .join(' '),
    )
}

const anySelect = (depth: number) => fc.constantFrom(...views).chain((view) => selectOver(view, depth))
const subquery = (depth: number): fc.Arbitrary<string> =>
  fc.oneof(
    anySelect(depth).map((select) => `EXISTS (${select})`),
    anySelect(depth).map((select) => `(SELECT count(*) FROM (${select}) AS s(x))`),
  )

/** Read-only SELECTs over the nine views: printed from a tree, so that the grammar is right by construction. */
export const readOnlySelect: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: anySelect(1) },
  { weight: 1, arbitrary: fc.tuple(anySelect(0), anySelect(0)).map(([a, b]) => `(${a}) UNION ALL (${b})`) },
  { weight: 1, arbitrary: anySelect(1).map((select) => `WITH w AS (${select}) SELECT count(*) FROM w`) },
)

const dangerous = fc.constantFrom(
  ...`; -- /* */ ' " $$ $a$ E' U&' \\ ( ) , . :: INTO FOR UPDATE DELETE FROM DROP VIEW v_quantities plant.quantities
  pg_authid set_config('role','postgres',true) pg_read_file('x') lo_create(0) setseed(1) COMMIT ROLLBACK BEGIN
  SET ROLE postgres RESET ALL COPY TO PROGRAM DO LISTEN x PREPARE p AS EXECUTE INSERT UPDATE RETURNING * TRUNCATE
  WITH RECURSIVE LATERAL TABLE ::regclass OPERATOR(pg_catalog.+) CALL EXPLAIN ANALYZE LOCK`.split(/\s+/),
)
const noise = fc.constantFrom(
  '\0',
  '\ud800',
  '\u202e',
  '\u00a0',
  '\u200b',
  '\ufeff',
  '\u0301',
  'é',
  '😀',
  '\x01',
  '\r',
)

interface Edit {
  readonly at: number
  readonly change: (tokens: string[], at: number) => void
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(),
  change: fc.oneof(
    fc.oneof({ weight: 3, arbitrary: dangerous }, noise).map((word) => (tokens: string[], at: number) => {
      tokens.splice(at, 0, word, ' ')
    }),
    fc.constant((tokens: string[], at: number) => void tokens.splice(at, 1)),
    fc.nat().map((other) => (tokens: string[], at: number) => {
      const to = other % tokens.length
      ;[tokens[at], tokens[to]] = [tokens[to]!, tokens[at]!]
    }),
  ),
})

/** Texts a few edits away from the given ones: tokens swapped, dropped, and dangerous words and characters put in. */
export const mutated = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(texts, fc.array(edit, { minLength: 1, maxLength: 8 })).map(([text, edits]) => {
    const tokens = text.match(/\w+|\s+|./gsu) ?? []
    for (const { at, change } of edits) if (tokens.length > 0) change(tokens, at % tokens.length)
    return tokens.join('')
  })
