import { schemas } from '../generated/schemas.ts'
import { validators } from '../generated/validators.ts'
import { eventProblems } from './events.ts'
import { isRecord, shown, unless, type Problems, type Row } from './invariant.ts'

const { status: statusSchema } = schemas['views/v_bioprocesses']!['properties'] as {
  status: { enum: string[] }
}

/** What `status` may be, as its schema says. */
export const bioprocessStatuses: readonly string[] = statusSchema.enum

/** `data` is always an empty array. */
export function dataProblems({ data }: Row): Problems {
  return unless(Array.isArray(data) && data.length === 0, `data is ${shown(data)}, not [].`)
}

/** `status` is one of the five values. */
export function statusProblems({ status }: Row): Problems {
  return unless(bioprocessStatuses.includes(status as string), `status is ${shown(status)}.`)
}

/** `qc` is an object with the keys status and failure_mode. */
export function qcProblems({ qc }: Row): Problems {
  if (!isRecord(qc)) return [`qc is ${shown(qc)}, not an object.`]
  return ['status', 'failure_mode'].filter((key) => !(key in qc)).map((key) => `qc has no ${key}.`)
}

/** `events` is an array of records, see {@link eventProblems}. */
export function eventsProblems({ events }: Row): Problems {
  return Array.isArray(events) ? events.flatMap(eventProblems) : [`events is ${shown(events)}, not an array.`]
}

/** A volume, where an event has one, is a unit and a value. */
export function volumeProblems({ events }: Row): Problems {
  if (!Array.isArray(events)) return []
  const volumes = events.filter(isRecord).filter((event) => 'volume' in event)
  return volumes.flatMap(({ volume }) =>
    unless(validators['objects/volume'](volume), `A volume is ${shown(volume)}, not {unit, value}.`),
  )
}
