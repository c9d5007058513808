import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checks } from '../../conformance/checks/index.ts'
import { mutants } from './mutants/index.ts'
import { statementIn, type Mutant } from './mutant.ts'
import { requirements, type ConformanceReport } from '../../schemas/index.ts'
import {
  isTimeCheck,
  judge,
  smallPlant,
  startReference,
  type LimitedReference,
} from './support/self-proof.ts'

// tests/proof/self-proof.full.test.ts runs each mutant against its checks.

describe('checks and mutants', () => {
  test('have unique ids', () => {
    for (const ids of [checks.map((check) => check.id), mutants.map((mutant) => mutant.id)])
      expect(new Set(ids).size).toBe(ids.length)
  })

  test('exist for every must requirement of the server side, and a mutant for every must and should check', () => {
    const musts = requirements.filter(({ level, side }) => level === 'must' && side === 'server')
    const withoutCheck = musts.filter(({ id }) => !checks.some(({ requirement }) => requirement === id))
    expect(
      withoutCheck.map(({ id }) => id),
      'need a check in conformance/checks/',
    ).toEqual([])
    const bound = new Set(requirements.filter(({ level }) => level !== 'observe').map(({ id }) => id))
    const withoutMutant = checks.filter(
      (check) => bound.has(check.requirement) && check.killedBy.length === 0,
    )
    const remedy = 'need a mutant in tests/proof/mutants/, named in killedBy'
    expect(
      withoutMutant.map(({ id }) => id),
      remedy,
    ).toEqual([])
  })

  test('belong together: a check of the broken requirement claims each mutant', () => {
    const unclaimed = mutants.filter(
      ({ id, breaks }) =>
        !checks.some((check) => check.killedBy.includes(id) && check.requirement === breaks),
    )
    const remedy = 'need a check in conformance/checks/ of what they break that names them in killedBy'
    expect(
      unclaimed.map(({ id }) => id),
      remedy,
    ).toEqual([])
    const known = new Set(mutants.map(({ id }) => id))
    const unknown = checks.flatMap(({ killedBy }) => killedBy).filter((id) => !known.has(id))
    expect(unknown, 'are in killedBy, but not in tests/proof/mutants/').toEqual([])
  })
})

/** A time limit that no statement reaches, on any machine, in milliseconds. */
const UNREACHED_MS = 2 ** 30

describe('a check that claims a mutant', () => {
  // The others measure time. They pass by a simulated clock in conformance/checks/time.test.ts, and on the reference in the slow tier.
  const ids = checks.filter(({ id, killedBy }) => killedBy.length > 0 && !isTimeCheck(id)).map(({ id }) => id)
  let reference: LimitedReference
  let report: ConformanceReport
  let sent = 0
  /** The requests sent when each check had ended. */
  const sentBy = new Map<string, number>()
  const statements = new Set<string>()
  const counting: Mutant['wrap'] = (fetch) => (input, init) => {
    sent++
    statements.add(statementIn(String(init?.body)) ?? '')
    return fetch(input, init)
  }
  beforeAll(async () => {
    reference = await startReference(smallPlant, UNREACHED_MS)
    report = await judge(reference, [], counting, {
      skip: ['time.*'],
      onResult: ({ id }) => sentBy.set(id, sent),
    })
  })
  afterAll(() => reference.close())

  test('passes on the reference', () => {
    const others = report.checks.filter(({ id, outcome }) => ids.includes(id) && outcome !== 'pass')
    expect(others.map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)).toEqual([])
    expect(report.counts).toMatchObject({ fail: 0, warn: 0, notExercised: 0, inconclusive: 0 })
  })

  test('of all answers sends nothing while these are judged, so that each check judges what the others asked', () => {
    const last = checks.filter(({ phase }) => phase === 'answers' || phase === 'broken')
    expect(new Set(last.map(({ id }) => sentBy.get(id)))).toEqual(new Set([sent]))
  })

  test('sends the statements that the register says it sends', () => {
    const shown = requirements
      .filter(({ side }) => side === 'server')
      .flatMap(({ check }) => [...check.matchAll(/`((?:SELECT?|WHERE) [^`<]+)`/g)].map(([, sql]) => sql!))
      .filter((sql) => !/ n$| v\)$/.test(sql))
    expect(new Set(shown).size).toBeGreaterThan(12)
    expect(shown.filter((sql) => ![...statements].some((one) => one.includes(sql)))).toEqual([])
  })

  test('needs at most 380 requests for all checks but those of the time limit', () => {
    expect(sent).toBeLessThanOrEqual(380)
  })
})
