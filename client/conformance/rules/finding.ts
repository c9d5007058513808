import type { TrafficFinding, TrafficOutcome } from '../../../schemas/traffic-finding.ts'

export type ClientOutcome = TrafficOutcome

/** What the traffic of a client shows about one requirement. The sentence of a violation names the remedy. */
export type ClientFinding = TrafficFinding
