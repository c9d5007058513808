import { defaultPlant, lastHour } from '../../fixtures/default-plant.ts'
import { checkPlant } from '../../fixtures/check-plant.ts'
import { checkOptions, type OptionTypes } from '../../base/check-options.ts'
import { contract } from '../../schemas/contract.ts'
import { checkTimer } from '../../base/time/duration.ts'
import type { Settings } from '../../schemas/index.ts'
import { createSettings } from '../open-points/settings.ts'
import { type FaultList, Faults } from '../app/faults/faults.ts'
import type { SessionRowsByView } from '../control/session.ts'
import type { ScenarioName } from '../../fixtures/scenarios/index.ts'
import { withScenario } from '../../fixtures/scenarios/plant.ts'
import { matchedPath } from './endpoint.ts'
import {
  type GeneratorOptions,
  generatorOf,
  generatorOptions,
  generatorTypes,
} from '../../fixtures/generator-options.ts'

/** Rows of one's own by view; views that are left out are empty. Missing columns get the defaults of `rows.put`. */
export type OwnRows = SessionRowsByView

export interface MockOptions extends Partial<GeneratorOptions> {
  /** Where the application expects the service, such as `https://api.example.com`. Default: anywhere. */
  readonly baseUrl?: string
  /** The bearer token that passes. Default: any that is not empty. */
  readonly token?: string
  /** Another seed is another plant. Default: 1. */
  readonly seed?: number
  /** How much data there is, from 0.01 to 100. Default: 0.01. */
  readonly scale?: number
  /** The time at which the data end, ISO 8601 with a zone; `now` is the last full hour. Default: 2026-01-01T00:00:00Z. */
  readonly asOf?: string
  /**
   * Chosen rows, in place of all other options of the plant, with ids that a test may name. Default: none.
   * @example createMock({ scenario: 'failed-run' }) // its ids are in scenarios['failed-run'].ids
   */
  readonly scenario?: ScenarioName
  /**
   * What `now()`, `CURRENT_DATE` and their like tell in SQL: the time of the plant, or the real one. Default: `plant`; with own rows
   * it is always the real one.
   */
  readonly databaseClock?: 'plant' | 'real'
  /** Rows instead of the simulated plant, completed and checked before the first statement. */
  readonly data?: OwnRows
  /** Variants by the id of their setting. Default: the default variant of every setting. */
  readonly variants?: Partial<Settings>
  /** Delay of every answer in milliseconds, or the shortest and the longest one. Default: 0. */
  readonly latency?: number | readonly [shortest: number, longest: number]
  /** Faults as text (`status:503,rate=0.2`) or objects. The same seed reproduces the same faults. Default: none. */
  readonly faults?: FaultList
  /** How long a statement may run before it is answered with 504, in milliseconds. Default: 30 000, the contract's. */
  readonly timeLimitMs?: number
  /** Receives why each statement failed, and which stubs answered none. Default: `console.warn`; false: nobody. */
  readonly log?: ((line: string) => void) | false
}

const types: OptionTypes<MockOptions> = {
  ...generatorTypes,
  baseUrl: 'string',
  token: 'string',
  data: 'object',
  databaseClock: '"plant" | "real"',
  variants: 'object',
  latency: 'number | array',
  faults: 'array',
  timeLimitMs: 'number',
  log: 'function | boolean',
}

/** The mock cannot be created or used; the message names the remedy. */
export class MockError extends Error {
  override readonly name = 'MockError'
}

/** Options that were checked, with none left to a default. */
export interface CheckedOptions {
  readonly plant: GeneratorOptions
  readonly base: URL | undefined
  readonly tokens: readonly string[] | 'any'
  readonly data: OwnRows | undefined
  readonly databaseClock: MockOptions['databaseClock']
  readonly variants: Partial<Settings>
  readonly timeLimitMs: number
  readonly log: (line: string) => void
  /** The options `faults` and `latency`. */
  readonly faults: Faults
}

/**
 * Checks everything but the rows of one's own: their schemas are too large to be loaded before they are needed.
 *
 * @throws MockError, RangeError, UnknownVariant or FaultError with a sentence that names the remedy
 */
export function checkedOptions(given: MockOptions): CheckedOptions {
  checkOptions(given, types, MockError)
  const { baseUrl, token, seed = 1, scale = 0.01, variants = {}, latency = 0, data } = given
  const { timeLimitMs = contract.limits.executionMs } = given
  const asOf = given.asOf === 'now' ? fullHour() : (given.asOf ?? defaultPlant.asOf)
  const plant =
    given.scenario === undefined
      ? generatorOf({ ...given, seed, scale, asOf })
      : { ...defaultPlant, ...generatorOf(withScenario(given)) }
  createSettings(variants)
  checkPlant(plant)
  checkTimer('timeLimitMs', timeLimitMs, 1)
  if (token !== undefined && !/^[!-~]+$/.test(token))
    throw new MockError(
      'A token that is empty or holds spaces or letters beyond ASCII cannot be sent in a header. Name another one.',
    )
  if (given.log === (true as unknown))
    throw new MockError('The option log is true. Give a function, or false to print nothing.')
  const { log = (line: string) => console.warn(line) } = given
  const ofPlant = [...generatorOptions, 'databaseClock'] as const
  if (data !== undefined && ofPlant.some((name) => given[name] !== undefined))
    throw new MockError(`Own rows have no ${ofPlant.join(', ')}. Give either \`data\` or those.`)
  return {
    base: baseUrl === undefined ? undefined : parseBaseUrl(baseUrl),
    tokens: token === undefined ? 'any' : [token],
    plant,
    data,
    databaseClock: given.databaseClock,
    variants,
    timeLimitMs,
    // a log that fails does not fail the request
    log: (line) => void (async () => log && log(line))().catch(() => {}),
    faults: new Faults(given.faults, { seed, timeLimitMs, always: latencyFault(latency) }),
  }
}

/** The environment variable with the hour in which the global setup of a test run began. */
export const hourVariable = 'BIOPROCESS_SQL_HOUR'

/** The last full hour. The one of the global setup counts an hour longer, so that the files of a test run have the same rows. */
function fullHour(): string {
  const begun = globalThis.process?.env[hourVariable]
  return begun === lastHour(Date.now() - 3_600_000) ? begun : lastHour()
}

function parseBaseUrl(text: string): URL {
  const base = URL.canParse(text) ? new URL(text) : undefined
  // no user, query or fragment, and nothing in the path that msw would read as a pattern
  const isPlain =
    base && `${base.origin}${base.pathname}` === base.href && /^(\/[\w.~-]+)*\/?$/.test(base.pathname)
  if (base?.pathname.includes(matchedPath))
    throw new MockError(`"${text}" includes the path of the endpoint. Leave ${matchedPath} out.`)
  if (isPlain && /^https?:$/.test(base.protocol)) return base
  throw new MockError(
    `"${text}" is no base URL. Write it as https://api.example.com or https://api.example.com/plant-1, without query.`,
  )
}

function latencyFault(latency: NonNullable<MockOptions['latency']>): FaultList {
  const [least, most] = typeof latency === 'number' ? [latency, latency] : latency
  if (Number.isFinite(most) && least >= 0 && least <= most)
    return most > 0 ? [{ type: 'latency', delayMs: [least, most] }] : []
  throw new RangeError(
    `latency is ${JSON.stringify(latency)}. Give milliseconds from 0, such as 200, or the shortest and the longest delay, such as [50, 400].`,
  )
}
