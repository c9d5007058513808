import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cannotBeTold } from '../conformance/probes/examples/index.test-helper.ts'
import { withoutProbe } from '../conformance/probes/without-probe.ts'
import { runConformance } from '../conformance/run-conformance.ts'
import { createBehaviour } from '../mock/app/behaviour.ts'
import { createReference, type Reference } from '../mock/index.ts'
import { undocumented } from '../schemas/index.ts'

/** Every variant that the reference can take on beside its own choice, with what the register says about it. */
const variants = undocumented.flatMap(({ id, knob, variants, default: own }) =>
  knob === null
    ? []
    : variants
        .filter(({ slug }) => slug !== own && isBuilt(knob, slug))
        .map((variant) => ({ id, knob, ...variant, name: `${knob}=${variant.slug}` })),
)

function isBuilt(knob: string, slug: string): boolean {
  try {
    createBehaviour({ [knob]: slug })
    return true
  } catch {
    return false
  }
}

let reference: Reference
beforeAll(async () => {
  reference = await createReference({ scale: 0.01, workers: 2 })
})
afterAll(() => reference.close())

/** Judges the reference as it behaves under one variant, set by header. */
function judge(name: string) {
  const fetch: typeof globalThis.fetch = (input, init) =>
    reference.fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), 'x-mock-variant': name },
    })
  return runConformance({ baseUrl: reference.baseUrl, token: reference.token, fetch, skip: ['time.*'] })
}

const family = (id: string): string => id.replace(/:v_.*/, '')

describe('what the register says of a variant is what the suite does', () => {
  test('there are variants of every standing', () => {
    expect(new Set(variants.map(({ standing }) => standing))).toEqual(
      new Set(['neutral', 'warns', 'departs']),
    )
    expect(variants.length).toBeGreaterThan(35)
  })

  test.each(variants)('$name: $standing', async ({ id, name, slug, standing, requirement }) => {
    const report = await judge(name)
    const hit = (outcome: string) => [
      ...new Set(
        report.checks.filter((check) => check.outcome === outcome).map((check) => family(check.requirement)),
      ),
    ]
    expect(hit('error')).toEqual([])
    if (standing === 'departs') expect(hit('fail')).toContain(requirement)
    else
      expect(
        report.checks
          .filter(({ outcome }) => outcome === 'fail')
          .map(({ id, message }) => `${id}: ${message}`),
      ).toEqual([])
    if (standing === 'warns') expect(hit('warn')).toContain(requirement)
    if (standing === 'neutral') expect(hit('warn')).toEqual([])
    if (!(id in withoutProbe) && !(`${id} ${slug}` in cannotBeTold))
      expect(report.observations[id]).toMatchObject({ variant: slug })
  })
})
