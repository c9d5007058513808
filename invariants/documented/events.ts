import { validators } from '../../schemas/generated/validators.ts'
import { unless, type Problems } from '../invariant.ts'
import { say, words } from '../message.ts'
import { isRecord, type Row } from '../rows/row.ts'
import { withOmittedNulls } from './omitted-nulls.ts'
import { rowRule, type Violation } from './judging.ts'

/** The schema of each documented kind of event record. */
const schemaOf = {
  DbObservationEvent: 'events/db-observation-event',
  DbAdditionEvent: 'events/db-addition-event',
  DbRemovalEvent: 'events/db-removal-event',
  DbBioprocessPhaseEvent: 'events/db-bioprocess-phase-event',
} as const

type EventKind = keyof typeof schemaOf

const isKind = (value: unknown): value is EventKind =>
  typeof value === 'string' && Object.hasOwn(schemaOf, value)

/** The kind that an event names. The contract does not say under which key (events.discriminator): any value that equals a kind counts. */
const namedKind = (event: Row): EventKind | undefined => Object.values(event).find(isKind)

/** The kind that an event looks like, by keys that no other kind has. */
function apparentKind(event: Row): EventKind | undefined {
  if ('addition_type' in event) return 'DbAdditionEvent'
  if ('removal_type' in event) return 'DbRemovalEvent'
  return 'phase' in event && 'time_point' in event ? 'DbBioprocessPhaseEvent' : undefined
}

const itemsOf = ({ events }: Row): readonly unknown[] => (Array.isArray(events) ? events : [])

/** The number of event records that name no documented kind. */
export const countUnnamed = (row: Row): number =>
  itemsOf(row).filter((item) => isRecord(item) && !namedKind(item)).length

/** Events are objects, and one that names a documented kind has the keys and types of that kind. */
export const namedEvents = rowRule('REQ-VIEW-EVENTS', 'v_bioprocesses', (row) => {
  const judged = itemsOf(row).filter((item) => !isRecord(item) || namedKind(item))
  if (judged.length === 0) return undefined
  return judged.flatMap((item) =>
    isRecord(item)
      ? kindViolations(item, namedKind(item)!, row)
      : [
          {
            column: 'events',
            expected: words('an array of objects'),
            actual: say`an array that holds ${item}`,
          },
        ],
  )
})

/** An event that looks like a documented kind has its keys and types. If it names that kind, {@link namedEvents} judges it. */
export const apparentEvents = rowRule('REQ-VIEW-EVENTS:should', 'v_bioprocesses', (row) => {
  const alike = itemsOf(row).filter((item) => isRecord(item) && apparentKind(item)) as Row[]
  if (alike.length === 0) return undefined
  return alike.flatMap((event) => (namedKind(event) ? [] : kindViolations(event, apparentKind(event)!, row)))
})

function kindViolations(event: Row, kind: EventKind, { events }: Row): Violation[] {
  const validate = validators[schemaOf[kind]]
  if (validate(withOmittedNulls(event, schemaOf[kind], events))) return []
  const problems = (validate.errors ?? []).map(({ instancePath, message }) =>
    `${instancePath} ${message}`.trim(),
  )
  const expected = words(`the keys and types of ${kind} (${problems.join(', ')})`)
  return [{ column: 'events', expected, actual: say`an array that holds ${event}` }]
}

/** The volume of an event is a unit and a value. The contract says so of the documented kinds only. */
export function volumeProblems(row: Row): Problems {
  const volumes = itemsOf(row).filter((item) => isRecord(item) && 'volume' in item) as Row[]
  return volumes.flatMap(({ volume }) =>
    unless(
      validators['objects/volume'](volume),
      say`The volume of an event is ${volume} instead of {unit, value}.`,
    ),
  )
}
