import { isIso8601, views, type ColumnDefinition, type ViewDefinition } from '../../schemas/index.ts'
import { check, compared, fail, type Check, type Finding } from './check.ts'
import { isZoned } from '../connection/instant.ts'
import { show } from '../connection/json.ts'
import type { Selection, Target } from '../connection/target.ts'

interface Stamp {
  view: string
  column: ColumnDefinition
  text: string
  selection: Selection
}

/** Every timestamp text in the sampled rows of every view that can be read. The TYPES checks are about other types. */
const stamps = (t: Target): Promise<Stamp[]> =>
  t.once('timestamps', async () => (await Promise.all(views.map((view) => stampsOf(t, view)))).flat())

async function stampsOf(t: Target, view: ViewDefinition): Promise<Stamp[]> {
  if (!(await t.exists(view.name))) return []
  const selection = await t.sample(view.name)
  const columns = view.columns.filter(({ format }) => format !== undefined)
  return selection.rows.flatMap((row) =>
    columns.flatMap((column) => {
      const text = row[column.name]
      return typeof text === 'string' ? [{ view: view.name, column, text, selection }] : []
    }),
  )
}

/** The same time with its T: a space in place of the T is a separate finding that must not hide others. */
const withT = (text: string): string => text.replace(/^(\S{10}) /, '$1T').replace(/ (?=[+-]|Z$)/, '')

/** One finding for all wrong timestamps, with an example of each column. */
function checkAll(all: Stamp[], good: (text: string) => boolean, demand: string, expected: string): Finding {
  const bad = all.filter(({ text }) => !good(text))
  const [first] = bad
  if (!first) return compared(all.length, 'timestamp', demand)
  const byColumn = new Map(bad.map((stamp) => [`${stamp.view}.${stamp.column.name}`, stamp.text]))
  const examples = [...byColumn].map(([column, text]) => `${column} ${show(text)}`)
  return fail({
    message: `${bad.length} of ${all.length} timestamps do not meet it, in ${byColumn.size} columns`,
    expected,
    actual: examples.slice(0, 5).join('; ') + (examples.length > 5 ? '; …' : ''),
    exchanges: [first.selection.reply.exchange],
  })
}

export const timestampChecks: Check[] = [
  check({
    id: 'timestamps.iso8601',
    requirement: 'REQ-VIEW-TS-1',
    title: 'write timestamps in ISO 8601',
    killedBy: ['timestamps-local-style', 'timestamps-epoch-text'],
    run: async (t) => {
      const all = await stamps(t)
      const finding = checkAll(
        all,
        (text) => isIso8601(withT(text)),
        'all are ISO 8601',
        'for instance 2025-03-01T08:12:00.123456+00:00',
      )
      const dates = all.filter(({ text }) => text.length === 10).length
      return dates > 0
        ? { ...finding, notes: [`${dates} timestamps are calendar dates without a time`] }
        : finding
    },
  }),
  check({
    id: 'timestamps.separator',
    requirement: 'REQ-VIEW-TS-1',
    title: 'write a T between date and time',
    killedBy: ['timestamps-space'],
    run: async (t) =>
      checkAll(
        await stamps(t),
        (text) => withT(text) === text,
        'none has a space in it',
        'a T between date and time, and no space before the zone',
      ),
  }),
  check({
    id: 'timestamps.zone',
    requirement: 'REQ-VIEW-TS-2',
    title: 'write a zone in the five columns that are noted to carry one',
    killedBy: ['timestamps-zoneless'],
    run: async (t) => {
      const zoned = (await stamps(t)).filter(({ column }) => column.format === 'iso8601-zoned')
      return checkAll(
        zoned,
        (text) => isZoned(withT(text)),
        'all carry a zone',
        'a zone at the end: Z or an offset such as +02:00',
      )
    },
  }),
]
