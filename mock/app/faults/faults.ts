import { contract } from '../../../schemas/contract.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Fault } from './fault.ts'
import { readFault } from './read-fault.ts'
import { type FaultContext, RequestFaults } from './request-faults.ts'
import { Rule } from './rule.ts'
import { order } from './terms.ts'

/** Faults as they are asked for: as text or as objects. */
export type FaultList = readonly (string | Fault)[]

export interface FaultsOptions {
  /** The same seed and the same order of requests: the same faults. Default: 1. */
  readonly seed?: number
  /** How long a statement may run, in milliseconds. Default: the contract's. */
  readonly timeLimitMs?: number
  /** For tests. */
  readonly clock?: Clock
}

/** A fault that is set, and what it did. */
export interface FaultStatus {
  /** As text. */
  readonly spec: string
  readonly fault: Fault
  /** Requests it was for. */
  readonly matched: number
  /** Requests it struck. */
  readonly struck: number
}

/** The faults of one server, which may change while it runs. Setting them begins their counts and draws anew. */
export class Faults {
  readonly #seed: number
  readonly #context: FaultContext
  #rules: readonly Rule[] = []
  /** The same in the order in which they strike. */
  #inOrder: readonly Rule[] = []

  /** @throws FaultError for a fault that is none */
  constructor(given: FaultList = [], options: FaultsOptions = {}) {
    const { seed = 1, timeLimitMs = contract.limits.executionMs, clock = systemClock } = options
    this.#seed = seed
    this.#context = { clock, timeLimitMs }
    this.replace(given)
  }

  /** Sets these instead of all others. @throws FaultError, and then nothing has changed */
  replace(given: FaultList): void {
    this.#set(given.map((fault, index) => new Rule(readFault(fault), this.#seed, index)))
  }

  /** Sets these beside the others. @throws FaultError, and then nothing has changed */
  add(given: FaultList): void {
    const before = this.#rules
    const more = given.map((fault, n) => new Rule(readFault(fault), this.#seed, before.length + n))
    this.#set([...before, ...more])
  }

  clear(): void {
    this.#set([])
  }

  /** In the order in which they were given. */
  list(): FaultStatus[] {
    return this.#rules.map(({ spec, fault, matched, struck }) => ({ spec, fault, matched, struck }))
  }

  /**
   * What may strike a request; undefined where nothing does, which costs no more than to ask.
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

/** The faults of a server: those that were made already, or made of a list. @throws FaultError */
export const faultsOf = (given: Faults | FaultList | undefined, options: FaultsOptions): Faults =>
  given instanceof Faults ? given : new Faults(given, options)
