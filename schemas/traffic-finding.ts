import type { Requirement } from './requirements.ts'

/** The outcome for one requirement. */
export type TrafficOutcome = 'pass' | 'fail' | 'warn' | 'observed' | 'not exercised'

/** What the traffic between a client and a service shows about one requirement. */
export interface TrafficFinding {
  /** The id in schemas/requirements.json. */
  readonly requirement: string
  readonly level: Requirement['level']
  readonly outcome: TrafficOutcome
  /** One sentence without row values. */
  readonly sentence: string
  /** The number of exchanges, or pairs of them, that a pass or a violation rests on. */
  readonly basis: number
  /** The numbers of the exchanges that show a violation; at most {@link namedExchanges}. */
  readonly shownBy: readonly number[]
}

/** The most exchanges that a finding names. */
export const namedExchanges = 10

/** How a violation counts: a broken must fails, a broken should warns. */
export const violationOf = (level: Requirement['level']): TrafficOutcome =>
  level === 'must' ? 'fail' : level === 'should' ? 'warn' : 'observed'
