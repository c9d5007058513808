import { schemas } from '../../schemas/generated/schemas.ts'
import { validators } from '../../schemas/generated/validators.ts'
import { eventProblems } from './events.ts'
import { unless, type Problems } from '../invariant.ts'
import { isRecord, type Row } from '../rows/row.ts'
import { say, words } from '../message.ts'

const { status: statusSchema } = schemas['views/v_bioprocesses']!['properties'] as {
  status: { enum: string[] }
}

/** The documented values of `status`. */
export const bioprocessStatuses: readonly string[] = statusSchema.enum

/** `data` is always an empty array. */
export function dataProblems({ data }: Row): Problems {
  return unless(Array.isArray(data) && data.length === 0, say`data is ${data} instead of [].`)
}

/** `status` is a documented value. */
export function statusProblems({ status }: Row): Problems {
  return unless(
    bioprocessStatuses.includes(status as string),
    say`status is ${status}, which is not a documented value.`,
  )
}

/** `qc` is an object with the keys status and failure_mode. */
export function qcProblems({ qc }: Row): Problems {
  if (!isRecord(qc)) return [say`qc is ${qc}, not an object.`]
  return ['status', 'failure_mode'].filter((key) => !(key in qc)).map((key) => words(`qc has no key ${key}.`))
}

/** `events` is an array of objects, see {@link eventProblems}. */
export function eventsProblems({ events }: Row): Problems {
  return Array.isArray(events) ? events.flatMap(eventProblems) : [say`events is ${events}, not an array.`]
}

/** The volume of an event is a unit and a value. */
export function volumeProblems({ events }: Row): Problems {
  if (!Array.isArray(events)) return []
  const volumes = events.filter(isRecord).filter((event) => 'volume' in event)
  return volumes.flatMap(({ volume }) =>
    unless(
      validators['objects/volume'](volume),
      say`The volume of an event is ${volume} instead of {unit, value}.`,
    ),
  )
}
