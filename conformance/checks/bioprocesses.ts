import {
  apparentKind,
  bioprocessStatuses,
  kindProblems,
  namedKind,
  type EventKind,
} from '../../invariants/index.ts'
import { check, compared, fail, type Check, type Finding } from './check.ts'
import { isObject, plain, show, type Json, type JsonObject } from '../connection/json.ts'
import type { Target } from '../connection/target.ts'

/** Looks at one column of the sampled bioprocesses; values that are left out, or of another type, are not its subject. */
async function eachValue(
  t: Target,
  column: string,
  subject: (value: Json) => boolean,
  good: (value: Json) => boolean,
  words: { noun: string; pass: string; fail: string; expected: string },
): Promise<Finding> {
  const { rows, reply } = await t.sample('v_bioprocesses')
  const values = rows.flatMap((row) =>
    row[column] !== undefined && subject(row[column]) ? [row[column]] : [],
  )
  const bad = values.filter((value) => !good(value))
  if (bad.length === 0) return compared(values.length, words.noun, words.pass)
  return fail({
    message: `${words.fail} in ${bad.length} of ${values.length} bioprocesses`,
    expected: words.expected,
    actual: `for instance ${show(bad[0])}`,
    exchanges: [reply.exchange],
  })
}

type EventRecord = Record<string, unknown>

/** The event records of the sampled bioprocesses, and the first item that is none. */
async function eventRecords(t: Target) {
  const { rows, reply } = await t.sample('v_bioprocesses')
  const items = rows.flatMap(({ events }) => (Array.isArray(events) ? events : []))
  return {
    records: items.filter(isObject).map((event) => plain(event) as EventRecord),
    other: items.find((item) => !isObject(item)),
    exchanges: [reply.exchange],
  }
}

async function namedEvents(t: Target): Promise<Finding> {
  const { records, other, exchanges } = await eventRecords(t)
  if (other !== undefined)
    return fail({
      message: 'events holds something that is not a record',
      expected: 'an array of JSON objects',
      actual: show(other),
      exchanges,
    })
  const named = records.filter(namedKind)
  const wrong = incomplete(named, namedKind)
  if (wrong)
    return fail({
      message: `a record that names its kind has not its keys: ${wrong.problem}`,
      ...wrong,
      exchanges,
    })
  const unnamed = records.length - named.length
  const notes = unnamed > 0 ? [`${unnamed} event records name no documented kind; they were not judged`] : []
  return compared(named.length, 'record', 'each has the keys and types of the kind it names', { notes })
}

/** A record that names the documented kind it looks like counts as good here: the other check is about it. */
async function apparentEvents(t: Target): Promise<Finding> {
  const { records, exchanges } = await eventRecords(t)
  const alike = records.filter(apparentKind)
  const wrong = incomplete(
    alike.filter((event) => !namedKind(event)),
    apparentKind,
  )
  if (wrong)
    return fail({
      message: `a record that looks like a documented kind has not its keys: ${wrong.problem}`,
      ...wrong,
      exchanges,
    })
  return compared(alike.length, 'record', 'each looks like a documented kind, and names it or has its keys')
}

/** The first record that lacks something of its kind. */
function incomplete(records: readonly EventRecord[], kindOf: (event: EventRecord) => EventKind | undefined) {
  for (const event of records) {
    const kind = kindOf(event)!
    const [problem] = kindProblems(event, kind)
    if (problem)
      return {
        problem,
        expected: `the keys and types of ${kind}`,
        actual: show(event as JsonObject, 300),
      }
  }
  return undefined
}

export const bioprocessChecks: Check[] = [
  check({
    id: 'bioprocesses.status',
    requirement: 'REQ-VIEW-ENUM-1',
    title: `have one of the documented states in status`,
    killedBy: ['status-other'],
    run: (t) =>
      eachValue(
        t,
        'status',
        (value) => typeof value === 'string',
        (value) => bioprocessStatuses.includes(value as string),
        {
          noun: 'status',
          pass: 'every one is documented',
          fail: 'status is not a documented one',
          expected: bioprocessStatuses.join(', '),
        },
      ),
  }),
  check({
    id: 'bioprocesses.data-empty',
    requirement: 'REQ-VIEW-DATA-EMPTY',
    title: 'leave v_bioprocesses.data an empty array',
    killedBy: ['bioprocess-data-filled'],
    run: (t) =>
      eachValue(t, 'data', Array.isArray, (value) => (value as Json[]).length === 0, {
        noun: 'array',
        pass: 'every one is empty',
        fail: 'data is not empty',
        expected: '[]',
      }),
  }),
  ...(['status', 'failure_mode'] as const).map((key) =>
    check({
      id: `bioprocesses.qc-${key.replace('_', '-')}`,
      requirement: 'REQ-VIEW-QC',
      title: `have the key ${key} in qc`,
      killedBy: [`qc-without-${key.replace('_', '-')}`],
      run: (t) =>
        eachValue(t, 'qc', isObject, (value) => key in (value as JsonObject), {
          noun: 'object',
          pass: `every qc has the key ${key}`,
          fail: `qc has no key ${key}`,
          expected: 'an object with the keys status and failure_mode',
        }),
    }),
  ),
  check({
    id: 'bioprocesses.events',
    requirement: 'REQ-VIEW-EVENTS',
    title: 'give event records the keys of the kind they name',
    killedBy: ['event-without-its-key', 'event-volume-number', 'event-not-a-record'],
    run: namedEvents,
  }),
  check({
    id: 'bioprocesses.apparent-events',
    requirement: 'REQ-VIEW-EVENTS:should',
    title: 'give records that look like a documented kind all of its keys',
    killedBy: ['event-unnamed-without-key'],
    run: apparentEvents,
  }),
]
