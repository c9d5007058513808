import { tableColumns, views, type ViewDefinition } from '../../../schemas/index.ts'
import { check, compared, fail, inconclusive, notExercised, type Check, type Finding } from '../check.ts'
import { echoed } from '../../connection/redaction/secrets.ts'
import { describeReply, illegible } from '../../connection/http/reply.ts'
import { howMissing } from '../findings/how-missing.ts'
import { permissionDenied, type Target } from '../../connection/target.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'

const exists = ({ name }: ViewDefinition): Check =>
  check({
    id: `views.exists:${name}`,
    requirement: `REQ-VIEW-EXISTS:${name}`,
    title: `have the view ${name}`,
    killedBy: [`view-missing:${name}`],
    run: async (t) => {
      const reply = await t.anyRow(name)
      if (reply.ok) return { outcome: 'pass', message: `${name} can be read`, exchanges: [reply.exchange] }
      if (permissionDenied(reply)) return notExercised(`no permission: ${echoed(reply.message)}`)
      const broken = illegible(reply)
      if (broken) return notExercised(broken, { exchanges: [reply.exchange] })
      if (await t.servedWithoutLimit())
        return notExercised('LIMIT is refused, and the view may be too large to read without it')
      return fail({
        message: `${name} cannot be read`,
        expected: 'state success, with or without rows',
        actual: describeReply(reply),
        exchanges: [reply.exchange],
      })
    },
  })

const columns = (view: ViewDefinition): Check =>
  check({
    id: `views.columns:${view.name}`,
    requirement: `REQ-VIEW-COLUMNS:${view.name}`,
    title: `have the documented columns in ${view.name}`,
    killedBy: [
      ...tableColumns(view.name).map(({ name }) => `column-missing:${view.name}.${name}`),
      ...(view.name === 'v_timeseries_data' ? ['column-refused-by-name'] : []),
    ],
    run: async (t) => {
      const { present, missing, reply } = await t.columns(view.name)
      if (reply.ok) return compared(present.length, 'column', 'all can be selected by name')
      if (!(await t.exists(view.name))) return notExercised(`${view.name} cannot be read`)
      if (missing.length === 0)
        return inconclusive('the columns were refused together, but each can be selected by itself')
      return fail({
        message: `${view.name} ${await howMissing(t, view.name, missing)}`,
        expected: `these columns: ${[...present, ...missing].join(', ')}`,
        actual: describeReply(reply),
        columns: missing.map((column) => ({ view: view.name, column })),
        exchanges: [reply.exchange],
      })
    },
  })

/** Keys of another case, or with a prefix: one finding for the whole target. */
async function checkKeys(t: Target): Promise<Finding> {
  let rows = 0
  for (const { name } of views) {
    const sample = await unlessRefused(t.sample(name))
    if (!sample || sample.shape.startsWith('array')) continue
    if (sample.renamed !== undefined)
      return fail({
        message: `the rows of ${name} are keyed by other names than the documented ones`,
        expected: `the keys ${sample.columns.join(', ')}`,
        actual: `the key ${sample.renamed}`,
        exchanges: [sample.reply.exchange],
      })
    rows += sample.rows.length
  }
  return compared(rows, 'row', 'keyed by the documented names')
}

const keys = check({
  id: 'views.keys',
  requirement: 'REQ-VIEW-KEYS',
  title: 'key rows by the documented field names',
  killedBy: ['keys-upper-case', 'keys-camel-case', 'keys-prefixed'],
  run: checkKeys,
})

export const columnChecks: Check[] = [...views.map(exists), ...views.map(columns), keys]
