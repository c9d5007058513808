import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { findOpenPoint, isSetting, openPoints } from './open-points.ts'

interface Clause {
  section: string
  lines: string
}
interface Requirement {
  id: string
  clause: Clause
  side: string
  level: string
  text: string
  check: string
}

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const requirements: Requirement[] = read('generated/requirements.json')
const views: string[] = read('contract.json').views

const families = ['REQ-VIEW-EXISTS', 'REQ-VIEW-COLUMNS', 'REQ-VIEW-TYPES']
const lastLine = 317

/** The requirements with an id, or with an id that names a view after it. */
const named = (id: string) => requirements.filter((r) => r.id === id || r.id.startsWith(`${id}:v_`))
const departures = openPoints.flatMap((entry) =>
  entry.variants.filter(({ requirement }) => requirement).map((variant) => ({ entry, variant })),
)

const validatorOf = (name: string) =>
  new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(read(`${name}.schema.json`))

test('requirements.json follows its schema', () => {
  const validate = validatorOf('requirements')
  validate(requirements)
  expect(validate.errors).toBeNull()
})

test.each(openPoints)('the file of $id follows its schema', ({ id }) => {
  const validate = validatorOf('open-point')
  validate(read(`open-points/${id.replace('.', '/')}.json`))
  expect(validate.errors).toBeNull()
})

describe.each([
  ['requirements', requirements],
  ['open points', openPoints],
])('the register of %s', (_, register) => {
  test('has unique ids', () => {
    expect(repeated(register.map(({ id }) => id))).toEqual([])
  })

  test('cites lines of the contract in ascending order', () => {
    for (const { id, clause } of register) {
      const numbers = clause.lines.split(/[-,]/).map(Number)
      expect(numbers, id).toEqual(numbers.toSorted((a, b) => a - b))
      expect(repeated(numbers), id).toEqual([])
      expect(numbers.at(-1), id).toBeLessThanOrEqual(lastLine)
    }
  })
})

describe('both registers', () => {
  test('cite the same section for the same lines', () => {
    const sections = new Map<string, string>()
    for (const { clause } of [...requirements, ...openPoints]) {
      expect(sections.get(clause.lines) ?? clause.section, clause.lines).toBe(clause.section)
      sections.set(clause.lines, clause.section)
    }
  })
})

describe('requirements', () => {
  test('keep their ids, which reports and baselines of vendors contain', () => {
    const ids = requirements.map(({ id }) => id.replace(/:v_\w+$/, ':{view}'))
    expect([...new Set(ids)].toSorted()).toMatchInlineSnapshot(`
      [
        "REQ-AUTH-1",
        "REQ-AUTH-2",
        "REQ-AUTH-3",
        "REQ-AUTH-4",
        "REQ-DELTA-1",
        "REQ-DELTA-2",
        "REQ-DELTA-3",
        "REQ-DELTA-4",
        "REQ-DELTA-5",
        "REQ-DELTA-6",
        "REQ-DELTA-6:should",
        "REQ-DELTA-7",
        "REQ-DELTA-8",
        "REQ-DELTA-9",
        "REQ-ERR-1",
        "REQ-ERR-2",
        "REQ-ERR-3",
        "REQ-ERR-4",
        "REQ-ERR-5",
        "REQ-ERR-6",
        "REQ-HTTP-1",
        "REQ-HTTP-10",
        "REQ-HTTP-11",
        "REQ-HTTP-12",
        "REQ-HTTP-13",
        "REQ-HTTP-2",
        "REQ-HTTP-3",
        "REQ-HTTP-4",
        "REQ-HTTP-5",
        "REQ-HTTP-6",
        "REQ-HTTP-7",
        "REQ-HTTP-7:should",
        "REQ-HTTP-8",
        "REQ-HTTP-8:should",
        "REQ-HTTP-9",
        "REQ-JOIN-1",
        "REQ-RATE-1",
        "REQ-SEC-1",
        "REQ-SEC-2",
        "REQ-SQL-1",
        "REQ-SQL-10",
        "REQ-SQL-11",
        "REQ-SQL-2",
        "REQ-SQL-3",
        "REQ-SQL-4",
        "REQ-SQL-5",
        "REQ-SQL-6",
        "REQ-SQL-7",
        "REQ-SQL-8",
        "REQ-SQL-8:should",
        "REQ-SQL-9",
        "REQ-TIME-1",
        "REQ-TIME-1:should",
        "REQ-TIME-2",
        "REQ-TIME-3",
        "REQ-TIME-4",
        "REQ-TIME-5",
        "REQ-VER-2",
        "REQ-VIEW-COLUMNS:{view}",
        "REQ-VIEW-DATA-EMPTY",
        "REQ-VIEW-ENUM-1",
        "REQ-VIEW-ENUM-2",
        "REQ-VIEW-EVENTS",
        "REQ-VIEW-EVENTS:should",
        "REQ-VIEW-EXISTS:{view}",
        "REQ-VIEW-FORMULA-FORMS",
        "REQ-VIEW-FR-EXCLUSIVE",
        "REQ-VIEW-FR-NONNULL",
        "REQ-VIEW-FR-SHAPE",
        "REQ-VIEW-FR-SHAPE:should",
        "REQ-VIEW-FR-STATS",
        "REQ-VIEW-ID-UNIQUE",
        "REQ-VIEW-KEYS",
        "REQ-VIEW-PARENT-REF",
        "REQ-VIEW-PARENTS",
        "REQ-VIEW-QC",
        "REQ-VIEW-QD-UNIQUE",
        "REQ-VIEW-QD-UNIT",
        "REQ-VIEW-REFS",
        "REQ-VIEW-STATS-CONSISTENT",
        "REQ-VIEW-STATS-POINTS",
        "REQ-VIEW-STATS-SHAPE",
        "REQ-VIEW-TS-1",
        "REQ-VIEW-TS-2",
        "REQ-VIEW-TS-DURATION",
        "REQ-VIEW-TYPES:{view}",
      ]
    `)
  })

  test('say in at most 80 words how they are checked', () => {
    expect(requirements.filter(({ check }) => check.split(/\s+/).length > 80).map(({ id }) => id)).toEqual([])
  })

  test('start with the word of their level', () => {
    for (const { id, level, text } of requirements) {
      const word = /^(MUST|SHOULD) /.exec(text)?.[1]?.toLowerCase()
      expect(word ?? 'observe', id).toBe(level)
    }
  })

  test('have a second entry only if the first one has another level', () => {
    for (const { id, level } of requirements.filter((r) => r.id.endsWith(':should'))) {
      expect(level, id).toBe('should')
      expect(named(id.replace(':should', ''))[0]?.level, id).toMatch(/^(must|observe)$/)
    }
  })

  test.each(views)('require the existence, the columns and the types of %s', (view) => {
    const found = requirements.filter(({ id }) => families.some((family) => id === `${family}:${view}`))
    expect(found.map(({ side, level }) => `${side} ${level}`)).toEqual(Array(3).fill('server must'))
    expect(found.every(({ text }) => text.includes(view))).toBe(true)
  })

  test('name only views after a colon', () => {
    const subjects = requirements.map(({ id }) => id.split(':')[1]).filter((part) => part?.startsWith('v_'))
    expect(new Set(subjects)).toEqual(new Set(views))
  })

  test('mention only columns that a view has', () => {
    const known = new Set([
      ...views,
      ...['views/', 'objects/', 'events/'].flatMap(propertyNames),
      'base_url',
      'view_name',
    ])
    for (const { id, text, check } of requirements) {
      const words = `${text} ${check}`.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []
      expect(
        words.filter((word) => !known.has(word)),
        id,
      ).toEqual([])
    }
  })
})

describe('open points', () => {
  test('keep their numbers, ids and defaults, which profiles and reports of vendors contain', () => {
    const lines = openPoints.map((entry) => `${entry.number} ${entry.id}=${entry.default}`)
    expect(lines.toSorted()).toMatchInlineSnapshot(`
      [
        "NS-01 qc.types=string-or-null",
        "NS-02 induction.shape=timestamped",
        "NS-03 attachments.shape=file-metadata",
        "NS-04 lineage.shape=parents-generation",
        "NS-05 measurement-info.shape=labels-map",
        "NS-06 quantities.data-type=numeric-text-date",
        "NS-07 base-units.shape=exponent-map",
        "NS-08 formula-results.data=value-unit-r2-n",
        "NS-09 formulas.states=ready-draft-error-computing",
        "NS-10 bioprocesses.transitions=any",
        "NS-11 formulas.transitions=any",
        "NS-12 rows.shape=object",
        "NS-13 rows.duplicates=last",
        "NS-14 rows.case=lower",
        "NS-15 rows.nulls=null",
        "NS-16 http.success=200",
        "NS-17 sql.accept=select-only",
        "NS-18 sql.multi=error",
        "NS-19 sql.empty=error",
        "NS-20 auth.mode=static",
        "NS-21 auth.permission=none",
        "NS-22 events.discriminator=type-timestamp",
        "NS-23 events.notifications=none",
        "NS-24 http.unknown-view=200",
        "NS-25 http.exception=200",
        "NS-26 http.json-error=200",
        "NS-27 errors.json-text=decode-error-parser-text",
        "NS-28 errors.sql-syntax=decode-error-database-text",
        "NS-29 errors.relation-text=exact",
        "NS-30 errors.generic=all-other",
        "NS-31 auth.missing=401",
        "NS-32 auth.invalid=401",
        "NS-33 auth.expired=401",
        "NS-34 auth.body=envelope",
        "NS-35 rate.mode=none",
        "NS-36 rows.max=none",
        "NS-37 statements.max-length=413",
        "NS-38 schema.extra=none",
        "NS-39 timeout.body=envelope",
        "NS-40 timeout.mode=hard",
        "NS-41 timestamps.format=micros-offset",
        "NS-42 numbers.encoding=number",
        "NS-43 numbers.non-finite=null",
        "NS-44 quantity-data.value=mixed",
        "NS-45 json.encoding=native",
        "NS-46 http.no-slash=404",
        "NS-47 http.content-type=415",
        "NS-48 http.bad-request=400",
        "NS-49 http.extra-keys=ignored",
        "NS-50 messages.success=executed",
        "NS-51 messages.empty=ran-no-results",
        "NS-52 delta.zone=utc",
        "NS-53 delta.precision=full",
        "NS-54 rows.order=stable",
        "NS-55 http.headers=no-store",
        "NS-56 delta.literal=all",
        "NS-57 bioprocesses.duration=run",
        "NS-58 statistics.standard-deviation=sample",
        "NS-59 statistics.count=non-null",
        "NS-60 archived-records.table-name=base-table",
        "NS-61 formula-results.origin=series-start",
        "NS-62 formulas.inputs=not-exposed",
        "NS-63 sql.semicolon=accepted",
        "NS-64 sql.filters=accepted",
        "NS-65 timeseries-data.last-updated-at=present",
        "NS-66 formula-results.scalar-statistics=filled",
      ]
    `)
  })

  test('have ids of an area and a point in words joined by hyphens', () => {
    for (const { id } of openPoints) expect(id).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/)
  })

  test('have unique names, and each name finds one', () => {
    const names = openPoints.flatMap(({ id, number, formerId }) => [
      id,
      number,
      ...(formerId ? [formerId] : []),
    ])
    expect(repeated(names)).toEqual([])
    for (const name of names) expect(findOpenPoint(name), name).toBeDefined()
  })

  test('are settings unless they have only one variant', () => {
    const others = openPoints.filter(({ id }) => !isSetting(id))
    expect(others.map(({ id }) => id)).toEqual([
      'bioprocesses.transitions',
      'formulas.transitions',
      'events.notifications',
      'formulas.inputs',
    ])
    expect(others.every(({ variants }) => variants.length === 1)).toBe(true)
  })

  test.each(openPoints)('have unique variants with the default among them: $id', (entry) => {
    const slugs = entry.variants.map(({ slug }) => slug)
    expect(repeated(slugs)).toEqual([])
    expect(slugs).toContain(entry.default)
  })

  test('have a neutral default, so that the reference server conforms', () => {
    for (const entry of openPoints) {
      expect(entry.variants.find(({ slug }) => slug === entry.default)?.standing, entry.id).toBe('neutral')
    }
  })

  test.each(departures)(
    'have variants whose standing is that of a requirement: $entry.id=$variant.slug $variant.standing from $variant.requirement',
    ({ variant }) => {
      const levels = named(variant.requirement ?? '').map(({ side, level }) => `${side} ${level}`)
      const level = variant.standing === 'warns' ? 'server should' : 'server must'
      expect(new Set(levels)).toEqual(new Set([level]))
    },
  )

  test.each([
    ['rows.shape', 'object array-with-columns array wrapped prefixed'],
    ['rows.order', 'stable random'],
    ['rows.duplicates', 'last first suffix alias-prefix array repeated-keys error'],
    ['rows.nulls', 'null omitted empty-string'],
    ['http.no-slash', '200 404 307 301'],
    ['http.success', '200 201 202 207'],
    [
      'timestamps.format',
      'micros-offset micros-z millis-z seconds-z nanos-z trimmed hour-offset local-offset no-zone space-separator epoch-millis',
    ],
  ])('keep the variants that the code names: %s', (id, slugs) => {
    const entry = openPoints.find((candidate) => candidate.id === id)
    expect(entry?.variants.map(({ slug }) => slug).join(' ')).toBe(slugs)
  })
})

function repeated<T>(values: readonly T[]): T[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

function propertyNames(folder: string): string[] {
  const schemas = readdirSync(new URL(folder, import.meta.url)).map((name) => read(folder + name))
  return schemas.flatMap(({ properties }) => Object.keys(properties))
}
