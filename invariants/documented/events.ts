import { validators } from '../../schemas/generated/validators.ts'
import type { Problems } from '../invariant.ts'
import { isRecord } from '../rows/row.ts'
import { say, words } from '../message.ts'

/** The schema of each documented kind of event record. */
const schemaOf = {
  DbObservationEvent: 'events/db-observation-event',
  DbAdditionEvent: 'events/db-addition-event',
  DbRemovalEvent: 'events/db-removal-event',
  DbBioprocessPhaseEvent: 'events/db-bioprocess-phase-event',
} as const

export type EventKind = keyof typeof schemaOf

const isKind = (value: unknown): value is EventKind =>
  typeof value === 'string' && Object.hasOwn(schemaOf, value)

/** The kind that an event names. The contract does not say under which key (NS-22): any value that equals a kind counts. */
export const namedKind = (event: Readonly<Record<string, unknown>>): EventKind | undefined =>
  Object.values(event).find(isKind)

/** The kind that an event looks like, by keys that no other kind has. */
export function apparentKind(event: Readonly<Record<string, unknown>>): EventKind | undefined {
  if ('addition_type' in event) return 'DbAdditionEvent'
  if ('removal_type' in event) return 'DbRemovalEvent'
  return 'phase' in event && 'time_point' in event ? 'DbBioprocessPhaseEvent' : undefined
}

/** How an event deviates from the keys and types of a kind, one sentence each. */
export function kindProblems(event: Readonly<Record<string, unknown>>, kind: EventKind): readonly string[] {
  const validate = validators[schemaOf[kind]]
  if (validate(event)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${kind}${instancePath} ${message}.`)
}

/** An event that names a documented kind has the keys and types of that kind. */
export function eventProblems(event: unknown): Problems {
  if (!isRecord(event)) return [say`An event is ${event}, not an object.`]
  const kind = namedKind(event)
  return kind === undefined ? [] : kindProblems(event, kind).map(words)
}
