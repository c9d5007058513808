import { isSetting, openPoints, type SettingId } from '../../schemas/open-points.ts'
import {
  checkVariants,
  createSettings,
  defaultSettings,
  type Settings,
  type Variants,
} from '../open-points/settings.ts'

/** The source of a setting, highest precedence first. */
export type VariantSource = 'run time' | 'flag' | 'environment' | 'config' | 'profile' | 'options' | 'default'

/** A setting as `/_mock/variants` shows it. */
export interface SettingState {
  /** The id of the open point. */
  readonly point: string
  /** @deprecated The same as `point`. */
  readonly knob: string
  /** The number of its open point. */
  readonly id: string
  /** The question that the contract leaves open. */
  readonly text: string
  readonly value: string
  readonly source: VariantSource
  readonly default: string
  readonly variants: readonly {
    readonly slug: string
    readonly text: string
    readonly standing: string
    readonly requirement?: string
  }[]
}

/** Variants for some of the next statements. */
interface Upcoming {
  readonly variants: Variants
  /** The number of statements left. */
  left: number
  /** The token of the statements they are for. Default: any. */
  readonly token: string | undefined
}

/** Most entries that may wait for their statements. */
const mostUpcoming = 1000

/** The settings of a running server: the current ones, and variants for the next statements. */
export class ServerSettings {
  #start: Settings
  #sources: Readonly<Record<string, VariantSource>>
  #set: Variants = {}
  #current: Settings
  #upcoming: Upcoming[] = []

  /** @param sources the source of each setting in `start`; default: the options of the server */
  constructor(start = defaultSettings, sources: Readonly<Record<string, VariantSource>> = {}) {
    this.#start = start
    this.#sources = sources
    this.#current = start
  }

  /** The settings that these began with, for another session. */
  again(): ServerSettings {
    return new ServerSettings(this.#start, this.#sources)
  }

  /** The settings of every statement without variants of its own. */
  get current(): Settings {
    return this.#current
  }

  /** The variants set since the start. */
  get set(): Variants {
    return this.#set
  }

  /** Variants for the next statements, in their order. */
  get upcoming(): readonly { readonly variants: Variants; readonly left: number }[] {
    return this.#upcoming.map(({ variants, left }) => ({ variants, left }))
  }

  /**
   * Sets variants until {@link reset}, in place of those set before.
   *
   * @throws UnknownVariant, and changes nothing
   */
  replace(variants: Variants): void {
    this.#current = createSettings(variants, this.#start)
    this.#set = checkVariants(variants)
  }

  /** Sets variants on top of those set before. */
  add(variants: Variants): void {
    this.replace({ ...this.#set, ...checkVariants(variants) })
  }

  /**
   * Sets variants only for the next statements, after those that already wait.
   *
   * @param token of the statements they are for; default: any
   * @throws UnknownVariant, or RangeError for a count below 1; both change nothing
   */
  once(variants: Variants, count = 1, token?: string): void {
    createSettings(variants)
    if (!(Number.isSafeInteger(count) && count >= 1))
      throw new RangeError(`count is ${JSON.stringify(count)}. Give a whole number of at least 1.`)
    if (this.#upcoming.length >= mostUpcoming)
      throw new RangeError(
        `${mostUpcoming} settings already wait for their statements. Drop them: reset() of a mock, DELETE /_mock/variants of a server.`,
      )
    this.#upcoming.push({ variants, left: count, token })
  }

  /** The settings of the next statement with this token, or with any; uses nothing up. */
  peek(token?: string): Settings {
    return this.#with(this.#nextFor(token))
  }

  /** The settings of the next statement with this token, which uses up one that waits for it. */
  take(token: string): Settings {
    const next = this.#nextFor(token)
    if (next && --next.left === 0) this.#upcoming.splice(this.#upcoming.indexOf(next), 1)
    return this.#with(next)
  }

  #nextFor(token: string | undefined): Upcoming | undefined {
    return this.#upcoming.find((one) => one.token === undefined || one.token === token)
  }

  #with(next: Upcoming | undefined): Settings {
    return next ? createSettings(next.variants, this.#current) : this.#current
  }

  /** Replaces the settings the server was started with. Variants set since then stay. */
  startFrom(start: Settings, sources: Readonly<Record<string, VariantSource>>): void {
    this.#start = start
    this.#sources = sources
    this.#current = createSettings(this.#set, start)
  }

  /** Returns to the settings the server was started with, or to one of them; also for the next statements. */
  reset(only?: string): void {
    const rest = Object.entries(this.#set).filter(([id]) => only !== undefined && id !== only)
    this.#set = Object.fromEntries(rest)
    this.#current = rest.length === 0 ? this.#start : createSettings(this.#set, this.#start)
    this.#upcoming = this.#upcoming.filter(({ variants }) => only !== undefined && !(only in variants))
  }

  /** Every setting, in the order of the contract. */
  describe(): SettingState[] {
    return openPoints.flatMap(({ id, number, question, default: usual, variants }) =>
      isSetting(id)
        ? [
            {
              point: id,
              knob: id,
              id: number,
              text: question,
              value: this.#current[id],
              source: this.#sourceOf(id, usual),
              default: usual,
              variants,
            },
          ]
        : [],
    )
  }

  #sourceOf(id: SettingId, usual: string): VariantSource {
    if (Object.hasOwn(this.#set, id)) return 'run time'
    if (Object.hasOwn(this.#sources, id)) return this.#sources[id]!
    return this.#current[id] === usual ? 'default' : 'options'
  }
}
