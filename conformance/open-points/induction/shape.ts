import { canonical, isObject, type Json, type JsonObject } from '../../connection/values/json.ts'
import { parseJson } from '../../connection/values/parse-json.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { areNull, haveKeys, rowsOf, shapeOf, unlessEmpty } from '../reading.ts'

const inductionsOf = (rows: readonly JsonObject[]): Json[] =>
  rows.map(({ induction_event: induction = null }) => induction)

/** Whether the induction is one of the row's own events. */
const isCopy = ({ events, induction_event: induction = null }: JsonObject): boolean =>
  Array.isArray(events) && events.some((event) => canonical(event) === canonical(induction))

function isJsonText(value: Json): boolean {
  if (typeof value !== 'string') return false
  try {
    return isObject(parseJson(value))
  } catch {
    return false
  }
}

const every = (rows: readonly JsonObject[], test: (row: JsonObject) => boolean): boolean => {
  const induced = rows.filter(({ induction_event: induction = null }) => induction !== null)
  return induced.length > 0 && induced.every(test)
}

export const probe = defineProbe('induction.shape', {
  read: async (t: Target) => unlessEmpty(await rowsOf(t, 'v_bioprocesses')),
  seen: (rows) => shapeOf(inductionsOf(rows)),
  variants: {
    null: (rows) => areNull(inductionsOf(rows)),
    timestamped: (rows) => haveKeys(inductionsOf(rows), ['event_id', 'timestamp', 'reagent_name', 'od600']),
    'event-record': (rows) => every(rows, isCopy),
    'json-text': (rows) => every(rows, ({ induction_event: induction = null }) => isJsonText(induction)),
  },
})
