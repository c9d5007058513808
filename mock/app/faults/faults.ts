import { contract } from '../../../schemas/contract.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Fault, FaultError, type FaultText, order } from './fault.ts'
import { readFault } from './read-fault.ts'
import { type FaultContext, RequestFaults } from './request-faults.ts'
import { Rule } from './rule.ts'

/** Faults as text (`status:503,rate=0.2`) or as objects. */
export type FaultList = readonly (FaultText | Fault)[]

export interface FaultsOptions {
  /** The same seed and the same order of requests reproduce the same faults. Default: 1. */
  readonly seed?: number
  /** The time limit of a statement in milliseconds. Default: the contract's. */
  readonly timeLimitMs?: number
  /** Faults that stay when others are replaced. Default: none. */
  readonly always?: FaultList
  /** For tests. */
  readonly clock?: Clock
}

/** A fault of a server and its counts. */
export interface FaultStatus {
  /** As text. */
  readonly spec: string
  readonly fault: Fault
  /** Requests it was for. */
  readonly matched: number
  /** Requests that triggered it. */
  readonly triggered: number
  /** The former name of `triggered`. */
  readonly struck: number
}

/** The faults of one server, which can change while it runs. Setting them restarts their counts and random numbers. */
export class Faults {
  readonly #seed: number
  readonly #context: FaultContext
  readonly #always: FaultList
  #start: FaultList
  #rules: readonly Rule[] = []
  /** The same in the order in which they apply. */
  #inOrder: readonly Rule[] = []

  /** @throws FaultError for a fault that is not valid */
  constructor(given: FaultList = [], options: FaultsOptions = {}) {
    const { seed = 1, timeLimitMs = contract.limits.executionMs, always = [], clock = systemClock } = options
    this.#seed = seed
    this.#always = always
    this.#context = { clock, timeLimitMs }
    this.#start = given
    this.replace(given)
  }

  /** The faults that these began with, for another session. */
  again(): Faults {
    return new Faults(this.#start, { seed: this.#seed, always: this.#always, ...this.#context })
  }

  /** Replaces all faults, and those that these began with. @throws FaultError, and then nothing has changed */
  startFrom(given: FaultList): void {
    this.replace(given)
    this.#start = given
  }

  /** Returns to the faults that these began with. */
  reset(): void {
    this.replace(this.#start)
  }

  /** Sets these faults in place of all others. @throws FaultError, and then nothing has changed */
  replace(given: FaultList): void {
    this.#set([...this.#read(this.#always, 0), ...this.#read(given, 0)])
  }

  /** Adds faults. @throws FaultError, and then nothing has changed */
  add(given: FaultList): void {
    this.#set([...this.#rules, ...this.#read(given, this.#rules.length)])
  }

  /** @param before the number of faults before these */
  #read(given: FaultList, before: number): Rule[] {
    if (!Array.isArray(given))
      throw new FaultError('The faults are not an array. Give one, such as ["status:503,rate=0.2"].')
    return given.map((fault, n) => new Rule(readFault(fault), this.#seed, before + n))
  }

  /** Removes the faults with this text; without one, all but those that stay. @throws FaultError if no fault has it */
  clear(spec?: string): void {
    if (spec === undefined) return this.replace([])
    const rest = this.#rules.filter((rule) => rule.spec !== spec)
    if (rest.length === this.#rules.length)
      throw new FaultError(`No fault is ${JSON.stringify(spec)}. Give the spec of one that GET lists.`)
    this.#set(rest)
  }

  /** In the order in which they were given. */
  list(): FaultStatus[] {
    return this.#rules.map(({ spec, fault, matched, triggered }) => ({
      spec,
      fault,
      matched,
      triggered,
      struck: triggered,
    }))
  }

  /**
   * The faults for one request; undefined if there are none.
   *
   * @param isEndpoint whether the path is that of the statements
   */
  open(path: string, isEndpoint: boolean): RequestFaults | undefined {
    if (this.#inOrder.length === 0) return undefined
    const rules = this.#inOrder.filter((rule) => rule.isForPath(path, isEndpoint))
    return rules.length === 0 ? undefined : new RequestFaults(rules, this.#context)
  }

  #set(rules: readonly Rule[]): void {
    this.#rules = rules
    this.#inOrder = rules.toSorted((a, b) => order.indexOf(a.fault.type) - order.indexOf(b.fault.type))
  }
}

/** The faults of a server, made of a list unless they are given as such. @throws FaultError */
export const faultsOf = (given: Faults | FaultList | undefined, options: FaultsOptions): Faults =>
  given instanceof Faults ? given : new Faults(given, options)
