import { describe, expect, test } from 'vitest'
import { contract, requirement, requirements, requirementSets } from '../../schemas/index.ts'
import { check, fail } from '../../conformance/checks/check.ts'
import { checks } from '../../conformance/checks/index.ts'
import { Secrets } from '../../conformance/connection/redaction/secrets.ts'
import { resultOf } from '../../conformance/run/check-result.ts'
import { verdictOf } from '../../conformance/run/verdict.ts'
import { freeze } from './freeze.ts'

describe.each(Object.values(requirementSets))('the requirement set $version', (requirementSet) => {
  const inSet = requirements.filter(({ id }) => Object.hasOwn(requirementSet.requirements, id))
  const now = new Set(checks.map(({ id }) => id))
  const retired = Object.entries(requirementSet.checks).flatMap(([id, of]) =>
    now.has(id) ? [] : [{ id, requirement: of }],
  )
  const checksInSet = [...checks.filter(({ id }) => Object.hasOwn(requirementSet.checks, id)), ...retired]

  test('is frozen: its requirements and checks are those of the registers, and its hash is right', () => {
    const remedy =
      'A set never changes, because claims refer to it. Give a changed sentence or level a new id, and see CONTRIBUTING.md.'
    expect(freeze(requirementSet.version, contract.version, inSet, checksInSet), remedy).toEqual(
      requirementSet,
    )
  })

  test('lost only checks that could fail nobody', () => {
    expect(retired.filter((one) => requirement(one.requirement).level !== 'observe')).toEqual([])
  })

  test('has every must of a server, and a check for each', () => {
    const musts = inSet.filter(({ side, level }) => side === 'server' && level === 'must')
    expect(musts.length).toBeGreaterThan(40)
    const tested = new Set(Object.values(requirementSet.checks))
    expect(musts.map(({ id }) => id).filter((id) => !tested.has(id))).toEqual([])
  })

  test('gets another hash when a level, a text or a check changes', () => {
    const [first, ...rest] = inSet
    const hashOf = (changed: object, some = checksInSet) =>
      freeze('v1', contract.version, [{ ...first!, ...changed }, ...rest], some).hash
    const hashes = [
      hashOf({}),
      hashOf({ level: 'should' }),
      hashOf({ text: 'MUST do something else.' }),
      hashOf({}, checksInSet.slice(1)),
    ]
    expect(new Set(hashes).size).toBe(4)
    expect(hashOf({ check: 'Compares more.' })).toBe(hashes[0])
  })
})

describe('a check that a set does not have', () => {
  const later = check({
    id: 'http.later',
    requirement: 'REQ-HTTP-1',
    title: 'do something',
    killedBy: [],
    run: async () => finding,
  })
  const finding = fail({ message: 'it did not', expected: 'a', actual: 'b' })
  const result = (requirementSet: 'v2' | 'next') =>
    resultOf(
      { check: later, finding, durationMs: 1 },
      { secrets: new Secrets(), disclosure: 'hashed', requirementSet },
    )

  const verdict = (requirementSet: 'v2' | 'next', ...results: ReturnType<typeof result>[]) =>
    verdictOf({
      results,
      leftOut: new Set(),
      timeLimitMs: 30_000,
      strict: false,
      unreachable: undefined,
      requirementSet,
      notes: requirementSet === 'v2' ? new Set([later.id]) : new Set(),
    }).verdict

  test('is a note for a target that it would fail', () => {
    expect(result('v2')).toMatchObject({
      outcome: 'observed',
      notes: [
        'The requirement set v2 does not have the check; it can fail a target that is judged by another set.',
      ],
    })
  })

  test('leaves no gap if it is not exercised', () => {
    const own = checks.map(({ id, requirement: of }) => ({
      ...result('v2'),
      id,
      requirement: of,
      outcome: 'pass' as const,
    }))
    const open = { ...result('v2'), outcome: 'not-exercised' as const }
    const verdicts = (['v2', 'next'] as const).map((set) => verdict(set, ...own, open))
    expect(verdicts).toEqual(['conformant', 'incomplete'])
  })

  test('fails a target that is judged by the next set', () => {
    expect(result('next').outcome).toBe('fail')
    const verdicts = (['v2', 'next'] as const).map((set) => verdict(set, result(set)))
    expect(verdicts).toEqual(['incomplete', 'non-conformant'])
  })
})
