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
})

function repeated<T>(values: readonly T[]): T[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

function propertyNames(folder: string): string[] {
  const schemas = readdirSync(new URL(folder, import.meta.url)).map((name) => read(folder + name))
  return schemas.flatMap(({ properties }) => Object.keys(properties))
}
