import { cannotBeTold } from '../../conformance/probes/examples/index.test-helper.ts'
import { checks } from '../../conformance/checks/index.ts'
import { withoutProbe } from '../../conformance/probes/without-probe.ts'
import { runConformance } from '../../conformance/run/conformance.ts'
import { createReference, type Reference } from '../../mock/index.ts'
import { undocumented, type ConformanceReport } from '../../schemas/index.ts'

/** A way to fill a silence, other than the reference's own. */
export interface Variant {
  readonly id: string
  readonly knob: string
  readonly slug: string
  /** As the header `X-Mock-Variant` has it. */
  readonly name: string
  readonly standing: 'neutral' | 'warns' | 'departs'
  readonly requirement?: string
}

/** Every variant beside the reference's own choice, with what the register says about it. */
export const variants: readonly Variant[] = undocumented.flatMap(({ id, knob, variants, default: own }) =>
  knob === null
    ? []
    : variants
        .filter(({ slug }) => slug !== own)
        .map((variant) => ({ id, knob, ...variant, name: `${knob}=${variant.slug}` })),
)

/** Whether a variant is about the limit of a statement, and about nothing else. */
export const isOfTime = ({ knob }: Variant): boolean => knob.startsWith('timeout.')

/** Short, so that a run takes seconds. */
export const timeLimitMs = 2000

/** A token for every run: some variants use tokens up. */
const tokens = Array.from({ length: 1000 }, (_, n) => `token-${n}`)
let used = 0

/** Engines for several runs at once. */
export const startReference = (): Promise<Reference> =>
  createReference({ scale: 0.01, timeLimitMs, workers: 4, tokens })

/** What takes no time: the whole suite but for the limit. What does: the limit and nothing else. */
const withoutTime = ['time.*']
const timeAlone = checks.map(({ id }) => id).filter((id) => !id.startsWith('time.'))

/** Judges the reference as it behaves under some variants, set by header; the limit only where one concerns it. */
export function judge(reference: Reference, some: readonly Variant[]): Promise<ConformanceReport> {
  const header = some.map(({ name }) => name).join(', ')
  const { baseUrl } = reference
  const token = tokens[used++]!
  const fetch: typeof globalThis.fetch = (input, init) =>
    reference.fetch(input, {
      ...init,
      headers: {
        ...(init?.headers as Record<string, string>),
        ...(header !== '' && { 'x-mock-variant': header }),
      },
    })
  const concernsTime = some.length > 0 && some.every(isOfTime)
  return runConformance({ baseUrl, token, fetch, timeLimitMs, skip: concernsTime ? timeAlone : withoutTime })
}

/** Whether the suite can tell a variant from all others. */
export const canBeTold = ({ id, slug }: Variant): boolean =>
  !(id in withoutProbe) && !(`${id} ${slug}` in cannotBeTold)

/** The checks with an outcome, each with what it found. */
export const found = ({ checks }: ConformanceReport, outcome: string): string[] =>
  checks.filter((check) => check.outcome === outcome).map(({ id, message }) => `${id}: ${message}`)

/** The requirements with an outcome; one of a family of views by the name of the family. */
export const requirementsWith = ({ checks }: ConformanceReport, outcome: string): string[] => [
  ...new Set(
    checks
      .filter((check) => check.outcome === outcome)
      .map(({ requirement }) => requirement.replace(/:v_.*/, '')),
  ),
]
