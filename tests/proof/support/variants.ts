import { expect } from 'vitest'
import { checks } from '../../../conformance/checks/index.ts'
import { Client } from '../../../conformance/connection/http/client.ts'
import { Limits } from '../../../conformance/connection/http/limits.ts'
import { Target } from '../../../conformance/connection/target.ts'
import { Tokens } from '../../../conformance/connection/http/tokens.ts'
import { probes } from '../../../conformance/open-points/index.ts'
import { observeAll } from '../../../conformance/open-points/observe.ts'
import type { Probe } from '../../../conformance/open-points/probe.ts'
import { runConformance } from '../../../conformance/run/conformance.ts'
import { createReference, type Reference } from '../../../mock/index.ts'
import {
  contract,
  isSetting,
  openPoints,
  type ConformanceReport,
  type Observation,
  type SettingId,
} from '../../../schemas/index.ts'

/** A registered variant of a setting. */
export interface Variant {
  readonly id: SettingId
  readonly slug: string
  /** Its name in the header `X-Mock-Variant`. */
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

/** The default variants of the reference server. */
export const defaults = registered.filter(({ isDefault }) => isDefault)

/** All other variants. */
export const variants = registered.filter(({ isDefault }) => !isDefault)

/** Whether a variant concerns only the time limit. */
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

/** Whether the probe of a setting reads the requests of all checks, so that it needs a suite run. */
export const needsSuiteRun = (variant: Variant): boolean => probeOf(variant)?.after === 'auth.valid-token'

/** A table for `test.each`: each variant with a title of its name and standing. */
export const titled = (some: readonly Variant[]) =>
  some.map((variant) => [`${variant.name} (${variant.standing})`, variant] as const)

/** The limit of the checks and probes that wait for it, and a limit that a busy machine does not reach. */
export const [shortLimitMs, longLimitMs] = [2000, 20_000]

/** A reference server with a long time limit, and one with a short limit for the variants that concern the limit. */
export interface References extends Reference {
  readonly short: Reference
  /** A token that no other suite run has: some variants make a token expire. */
  newToken(): string
}

/** More tokens than a file needs. */
const mostRuns = 1000

/** Starts the reference servers, with engines for several suite runs at once. */
export async function startReferences(workers = 4): Promise<References> {
  const tokens = Array.from({ length: mostRuns }, (_, n) => `token-${n}`)
  const options = { scale: 0.01, tokens: [...tokens] }
  const [long, short] = await Promise.all([
    createReference({ ...options, workers, timeLimitMs: longLimitMs }),
    createReference({ ...options, workers: 2, timeLimitMs: shortLimitMs }),
  ])
  const newToken = () => {
    const token = tokens.pop()
    if (token === undefined) throw new RangeError(`A file runs the suite more than ${mostRuns} times.`)
    return token
  }
  return {
    ...long,
    short,
    newToken,
    close: async () => void (await Promise.all([long.close(), short.close()])),
  }
}

/** The target of a suite run: a reference server with some variants. The limit is short if all of them concern it. */
function targetWith(references: References, some: readonly Variant[], isShort = some.some(isOfTime)) {
  const reference = isShort ? references.short : references
  const header = some.map(({ name }) => name).join(', ')
  const fetch: typeof globalThis.fetch = (input, init) =>
    reference.fetch(input, {
      ...init,
      headers: {
        ...(init?.headers as Record<string, string>),
        ...(header !== '' && { 'x-mock-variant': header }),
      },
    })
  return {
    baseUrl: reference.baseUrl,
    token: references.newToken(),
    fetch,
    timeLimitMs: isShort ? shortLimitMs : longLimitMs,
  }
}

const withoutTimeChecks = ['time.*']
const allButTimeChecks = checks.map(({ id }) => id).filter((id) => !id.startsWith('time.'))

/** Runs the suite with some variants: only the time checks if all variants concern the limit, otherwise all others. */
export function judge(references: References, some: readonly Variant[]): Promise<ConformanceReport> {
  const concernsTime = some.length > 0 && some.every(isOfTime)
  // A second is more than a sixth of the short limit, at which a 504 cuts a statement short.
  const isShort = concernsTime && !some.some(({ name }) => name === 'timeout.mode=second-early')
  const skip = concernsTime ? allButTimeChecks : withoutTimeChecks
  return runConformance({ ...targetWith(references, some, isShort), skip })
}

/** The observations of the probes of some settings at a server with some variants, without a suite run. */
export async function observe(
  references: References,
  of: readonly Variant[],
  some: readonly Variant[] = of,
): Promise<Observation[]> {
  const { baseUrl, token, fetch, timeLimitMs } = targetWith(references, some)
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

/** Further variants that are observed at a server with a variant. */
const consequences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'sql.accept=documented': { 'sql.filters': 'refused' },
  // None of the runs that the token may see has parents.
  'auth.permission=rows-filtered': { 'lineage.shape': 'null' },
  // An empty statement is one more exception.
  'http.exception=400': { 'sql.empty': '400' },
  // Timestamps are compared in microseconds even if fewer digits are printed.
  'timestamps.format=millis-z': { 'delta.precision': 'printed-millis' },
  'json.encoding=text': { 'induction.shape': 'json-text' },
  // A NaN in quotes is a number written as a string.
  'numbers.non-finite=quoted-nan': { 'numbers.encoding': 'string' },
}

/** Expects the observation of a variant, and only default variants of all other settings. */
export function expectRecognised(variant: Variant, observations: readonly Observation[]): void {
  const { id, slug, name } = variant
  if (isDetectable(variant)) {
    const observed = observations.find(({ point }) => point === id)
    const leaf = `open-points/${id.replace('.', '/')}.ts`
    expect(observed?.variant, `conformance/${leaf} recognises ${slug} as mock/${leaf} serves it`).toBe(slug)
  }
  const wrong = observations.filter((one) => {
    if (one.variant === undefined || one.point === undefined || one.point === id) return false
    const usual = defaults.find((other) => other.id === one.point)!.slug
    return one.variant !== usual && one.variant !== consequences[name]?.[one.point]
  })
  expect(wrong).toEqual([])
}

/** Expects that the suite judges a server with a variant by its registered standing, and recognises the variant. */
export async function expectJudgedAsRegistered(references: References, variant: Variant): Promise<void> {
  const { standing, requirement } = variant
  const report = await judge(references, [variant])
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

/** The requirements with an outcome, without the view of a requirement that is stated once for each view. */
export const requirementsWith = ({ checks }: ConformanceReport, outcome: string): string[] => [
  ...new Set(
    checks
      .filter((check) => check.outcome === outcome)
      .map(({ requirement }) => requirement.replace(/:v_.*/, '')),
  ),
]
