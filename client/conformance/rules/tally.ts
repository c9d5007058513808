import { requirement } from '../../../schemas/requirements.ts'
import { namedExchanges, violationOf } from '../../../schemas/traffic-finding.ts'
import type { ClientFinding, ClientOutcome } from './finding.ts'

/** The sentences of a finding. Each begins with a number and ends without a full stop. */
export interface Sentences {
  /** Of a pass: "carry a bearer token" after "12 requests". */
  readonly kept: string
  /** Of a violation: "carry no bearer token" after "2 of 12 requests". */
  readonly broken: string
  /** How to avoid the violation, a sentence. */
  readonly remedy: string
  /** Why nothing was judged, a sentence. */
  readonly nothing: string
  /** What is counted, in the plural. Default: requests. */
  readonly unit?: string
}

/** Counts what a rule judged, and makes its finding. */
export class Tally {
  readonly #id: string
  readonly #sentences: Sentences
  readonly #shownBy: number[] = []
  #basis = 0
  #violations = 0

  constructor(id: string, sentences: Sentences) {
    this.#id = id
    this.#sentences = sentences
  }

  /** @param exchanges the numbers of the exchanges that show a violation */
  judge(isKept: boolean, ...exchanges: number[]): void {
    this.#basis++
    if (isKept) return
    this.#violations++
    const more = exchanges.filter((number) => !this.#shownBy.includes(number))
    this.#shownBy.push(...more.slice(0, namedExchanges - this.#shownBy.length))
  }

  finding(): ClientFinding {
    const { level } = requirement(this.#id)
    const outcome = this.#outcome(level)
    const sentence = this.#sentence(outcome)
    const basis = this.#violations || this.#basis
    return { requirement: this.#id, level, outcome, sentence, basis, shownBy: [...this.#shownBy] }
  }

  #outcome(level: ClientFinding['level']): ClientOutcome {
    if (this.#basis === 0) return 'not exercised'
    if (this.#violations === 0) return 'pass'
    return violationOf(level)
  }

  #sentence(outcome: ClientOutcome): string {
    const { kept, broken, remedy, nothing, unit = 'requests' } = this.#sentences
    if (outcome === 'not exercised') return nothing
    if (outcome === 'pass')
      return `${this.#basis} ${this.#basis === 1 ? unit.replace(/s\b/, '') : unit}: ${kept}.`
    return `${this.#violations} of ${this.#basis} ${unit}: ${broken}. ${remedy}`
  }
}
