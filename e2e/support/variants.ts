import { expect } from 'vitest'
import { checks } from '../../conformance/checks/index.ts'
import { Client } from '../../conformance/connection/client.ts'
import { Limits } from '../../conformance/connection/limits.ts'
import { Target } from '../../conformance/connection/target.ts'
import { Tokens } from '../../conformance/connection/tokens.ts'
import { probes } from '../../conformance/open-points/index.ts'
import { observeAll } from '../../conformance/open-points/observe.ts'
import type { Probe } from '../../conformance/open-points/probe.ts'
import { runConformance } from '../../conformance/run/conformance.ts'
import { createReference, type Reference } from '../../mock/index.ts'
import {
  contract,
  isSetting,
  openPoints,
  type ConformanceReport,
  type Observation,
  type SettingId,
} from '../../schemas/index.ts'

/** A variant of a setting, as the register has it. */
export interface Variant {
  readonly id: SettingId
  readonly slug: string
  /** As the header `X-Mock-Variant` has it. */
  readonly name: string
  readonly standing: 'neutral' | 'warns' | 'departs'
  readonly requirement?: string
  readonly isDefault: boolean
}

const registered: readonly Variant[] = openPoints.flatMap(({ id, variants, default: usual }) =>
  isSetting(id)
    ? variants.map((variant) => ({
        id,
        ...variant,
        name: `${id}=${variant.slug}`,
        isDefault: variant.slug === usual,
      }))
    : [],
)

/** The variants that the reference server has unless told otherwise. */
export const defaults = registered.filter(({ isDefault }) => isDefault)

/** All other variants. */
export const variants = registered.filter(({ isDefault }) => !isDefault)

/** Whether a variant concerns the time limit, and nothing else. */
export const isOfTime = ({ id }: Variant): boolean => id.startsWith('timeout.')

const probeOf = ({ id }: Variant): Probe | undefined => {
  const probe = probes[id]
  return 'observe' in probe ? probe : undefined
}

/** Whether the suite recognises a variant. */
export const isDetectable = (variant: Variant): boolean => {
  const probe = probeOf(variant)
  return probe !== undefined && !(variant.slug in probe.undetectable)
}

/** Whether the probe of a setting looks back over a suite run: it reads what all checks asked. */
export const looksBack = (variant: Variant): boolean => probeOf(variant)?.after === 'auth.valid-token'

/** Variants as a table of `test.each` with their names and standings. */
export const titled = (some: readonly Variant[]) =>
  some.map((variant) => [`${variant.name} (${variant.standing})`, variant] as const)

/** Short, so that a suite run takes seconds. */
export const timeLimitMs = 2000

/** A token for every suite run: some variants use tokens up. */
const tokens = Array.from({ length: 1000 }, (_, n) => `token-${n}`)
let used = 0

/** A reference server with engines for several suite runs at once. */
export const startReference = (workers = 4): Promise<Reference> =>
  createReference({ scale: 0.01, timeLimitMs, workers, tokens })

/** The same server as it answers under some variants. */
function under(reference: Reference, some: readonly Variant[]) {
  const header = some.map(({ name }) => name).join(', ')
  const fetch: typeof globalThis.fetch = (input, init) =>
    reference.fetch(input, {
      ...init,
      headers: {
        ...(init?.headers as Record<string, string>),
        ...(header !== '' && { 'x-mock-variant': header }),
      },
    })
  return { baseUrl: reference.baseUrl, token: tokens[used++]!, fetch }
}

const withoutTimeChecks = ['time.*']
const allButTimeChecks = checks.map(({ id }) => id).filter((id) => !id.startsWith('time.'))

/** Judges the reference under some variants: by the time checks if all variants concern the limit, else by the others. */
export function judge(reference: Reference, some: readonly Variant[]): Promise<ConformanceReport> {
  const concernsTime = some.length > 0 && some.every(isOfTime)
  const skip = concernsTime ? allButTimeChecks : withoutTimeChecks
  return runConformance({ ...under(reference, some), timeLimitMs, skip })
}

/** What the probes of some settings observe of the reference under some variants, without a suite run. */
export async function observe(
  reference: Reference,
  of: readonly Variant[],
  some: readonly Variant[] = of,
): Promise<Observation[]> {
  const { baseUrl, token, fetch } = under(reference, some)
  const client = new Client({
    baseUrl,
    path: contract.endpoint.path,
    tokens: new Tokens(token, undefined, () => {}),
    headers: {},
    fetch,
    timeoutMs: timeLimitMs + 20_000,
    retries: 0,
    limits: new Limits({}),
  })
  const target = new Target(client, { timeLimitMs, destructiveProbes: false })
  const used = of.flatMap((variant) => probeOf(variant) ?? [])
  const { observations } = await observeAll(used, target, (text) => text)
  return Object.values(observations)
}

/** Variants that a server with another variant also has, as observed. */
const consequences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'sql.accept=documented': { 'sql.filters': 'refused' },
  // No run of the plant that the token may see has parents.
  'auth.permission=rows-filtered': { 'lineage.shape': 'null' },
  // An empty statement is one more exception.
  'http.exception=400': { 'sql.empty': '400' },
  // Timestamps are compared in microseconds, however few digits are printed.
  'timestamps.format=millis-z': { 'delta.precision': 'printed-millis' },
  'json.encoding=text': { 'induction.shape': 'json-text' },
  // A NaN in quotes is a number as a text.
  'numbers.non-finite=quoted-nan': { 'numbers.encoding': 'string' },
}

/** Expects the observation of a variant, and no other variant of any other setting than the default one. */
export function expectRecognised(variant: Variant, observations: readonly Observation[]): void {
  const { id, slug, name } = variant
  if (isDetectable(variant)) {
    const observed = observations.find(({ knob }) => knob === id)
    const leaf = `open-points/${id.replace('.', '/')}.ts`
    expect(observed?.variant, `conformance/${leaf} recognises ${slug} as mock/${leaf} serves it`).toBe(slug)
  }
  const wrong = observations.filter((one) => {
    if (one.variant === undefined || one.knob === id) return false
    const usual = defaults.find((other) => other.id === one.knob)!.slug
    return one.variant !== usual && one.variant !== consequences[name]?.[one.knob]
  })
  expect(wrong).toEqual([])
}

/** Expects that the suite judges the reference under a variant as the register says, and recognises the variant. */
export async function expectJudgedAsRegistered(reference: Reference, variant: Variant): Promise<void> {
  const { standing, requirement } = variant
  const report = await judge(reference, [variant])
  expect(found(report, 'error')).toEqual([])
  if (standing === 'departs') expect(requirementsWith(report, 'fail')).toContain(requirement)
  else expect(found(report, 'fail')).toEqual([])
  if (standing === 'warns') expect(requirementsWith(report, 'warn')).toContain(requirement)
  if (standing === 'neutral') expect(found(report, 'warn')).toEqual([])
  expectRecognised(variant, Object.values(report.observations))
}

/** The checks with an outcome, each with its message. */
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
