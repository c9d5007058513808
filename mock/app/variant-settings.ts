import { undocumented } from '../../schemas/generated/undocumented.ts'
import { type Behaviour, createBehaviour, defaultBehaviour, type Variants } from './behaviour.ts'

/** Where the value of a knob comes from; the strongest that has one decides. */
export type VariantSource = 'run time' | 'flag' | 'environment' | 'config' | 'profile' | 'options' | 'default'

/** A knob as `/_mock/variants` shows it. */
export interface KnobState {
  readonly knob: string
  /** Id in the register of silences. */
  readonly id: string
  /** What the contract does not show. */
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

/** Variants for so many of the next statements. */
interface Upcoming {
  readonly variants: Variants
  left: number
  /** The token of the statements they hold for. Default: any. */
  readonly token: string | undefined
}

/** Most settings that wait for their statements. */
const mostUpcoming = 1000

/** What a server does where the contract is silent, now and for the next statements. */
export class VariantSettings {
  readonly #start: Behaviour
  readonly #sources: Readonly<Record<string, VariantSource>>
  #set: Variants = {}
  #current: Behaviour
  #upcoming: Upcoming[] = []

  /** @param sources where the knobs that `start` sets were set; default: in the options of the server */
  constructor(start = defaultBehaviour, sources: Readonly<Record<string, VariantSource>> = {}) {
    this.#start = start
    this.#sources = sources
    this.#current = start
  }

  /** What holds for every statement that nothing else was set for. */
  get current(): Behaviour {
    return this.#current
  }

  /** What was set since the start. */
  get set(): Variants {
    return this.#set
  }

  /** Variants that wait for the next statements, the nearest first. */
  get upcoming(): readonly { readonly variants: Variants; readonly left: number }[] {
    return this.#upcoming.map(({ variants, left }) => ({ variants, left }))
  }

  /**
   * Sets knobs until {@link reset}, in place of those set before.
   *
   * @throws UnknownVariant, and changes nothing
   */
  replace(variants: Variants): void {
    this.#current = createBehaviour(variants, this.#start)
    this.#set = variants
  }

  /** The same on top of those set before. */
  add(variants: Variants): void {
    this.replace({ ...this.#set, ...variants })
  }

  /**
   * Sets knobs for the next statements alone, after those that wait already.
   *
   * @param token of the statements they hold for; default: any
   * @throws UnknownVariant for a variant, RangeError for a count that makes no sense; both change nothing
   */
  once(variants: Variants, count = 1, token?: string): void {
    createBehaviour(variants)
    if (!(Number.isSafeInteger(count) && count >= 1))
      throw new RangeError(`count is ${JSON.stringify(count)}. Give a whole number from 1 on.`)
    if (this.#upcoming.length >= mostUpcoming)
      throw new RangeError(
        `${mostUpcoming} settings wait for their statements already. DELETE /_mock/variants forgets them.`,
      )
    this.#upcoming.push({ variants, left: count, token })
  }

  /** What would hold for a statement with this token that comes now; nothing is used up. */
  peek(token: string | undefined): Behaviour {
    return this.#with(this.#nextFor(token))
  }

  /** What holds for the statement with this token that comes now. */
  take(token: string): Behaviour {
    const next = this.#nextFor(token)
    if (next && --next.left === 0) this.#upcoming.splice(this.#upcoming.indexOf(next), 1)
    return this.#with(next)
  }

  #nextFor(token: string | undefined): Upcoming | undefined {
    return this.#upcoming.find((one) => one.token === undefined || one.token === token)
  }

  #with(next: Upcoming | undefined): Behaviour {
    return next ? createBehaviour(next.variants, this.#current) : this.#current
  }

  /** Back to what the server was started with. */
  reset(): void {
    this.#set = {}
    this.#current = this.#start
    this.#upcoming = []
  }

  /** Every knob of the register, in its order. */
  describe(): KnobState[] {
    return undocumented.flatMap(({ knob, id, text, default: usual, variants }) =>
      knob === null
        ? []
        : [
            {
              knob,
              id,
              text,
              value: this.#valueOf(knob) ?? usual,
              source: this.#sourceOf(knob, usual),
              default: usual,
              variants,
            },
          ],
    )
  }

  #valueOf(knob: string): string | undefined {
    return (this.#current as Readonly<Record<string, string>>)[knob]
  }

  #sourceOf(knob: string, usual: string): VariantSource {
    if (Object.hasOwn(this.#set, knob)) return 'run time'
    if (Object.hasOwn(this.#sources, knob)) return this.#sources[knob]!
    return (this.#valueOf(knob) ?? usual) === usual ? 'default' : 'options'
  }
}
