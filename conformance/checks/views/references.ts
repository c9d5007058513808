import { contract, tableColumns, view, type ViewName } from '../../../schemas/index.ts'
import { check, compared, fail, inconclusive, type Check, type Finding } from '../check.ts'
import { canonical, show, type Json, type JsonObject } from '../../connection/values/json.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import { joinSpelling } from '../../samples/join.ts'
import { MANY, whole } from '../../samples/whole.ts'
import type { Selection, Target } from '../../connection/target.ts'

interface Reference {
  from: ViewName
  column: string
  to: ViewName
}

/** Looks for references without a partner: among the rows of both views if they are known whole, else in one LEFT JOIN. */
async function resolves(t: Target, reference: Reference): Promise<Finding> {
  const { from, column, to } = reference
  const [left, right] = [await readWhole(t, from), await readWhole(t, to)]
  if (left && right) {
    const count = left.rows.filter((row) => (row[column] ?? null) !== null).length
    return judge(reference, { count, lost: dangling(reference, left, right) }, [left, right], async () =>
      dangling(reference, (await t.readAgain(left)) ?? left, (await t.readAgain(right)) ?? right),
    )
  }
  // Two columns of one name would be undocumented (rows.duplicates): v_timeseries_data refers by its own id.
  const partner =
    column === 'id' ? view(to).columns.find(({ name, nullable }) => name !== 'id' && !nullable)!.name : 'id'
  const { as } = await joinSpelling(t)
  const sql = `SELECT l.${column}, r.${partner} FROM ${from}${as}l LEFT JOIN ${to}${as}r ON l.${column} = r.id LIMIT ${t.rows(MANY)}`
  const referring = ({ rows }: Selection) => rows.filter((row) => (row[column] ?? null) !== null)
  const alone = (join: Selection) => referring(join).filter((row) => (row[partner] ?? null) === null)
  const join = await t.selectOnce(sql, [column, partner])
  return judge(reference, { count: referring(join).length, lost: alone(join) }, [join], async () =>
    alone(await t.select(sql, [column, partner])),
  )
}

/** The columns that the search reads, so that each view is read once. */
const readWhole = (t: Target, name: ViewName): Promise<Selection | undefined> =>
  unlessRefused(
    whole(
      t,
      name,
      tableColumns(name).map(({ name: column }) => column),
    ),
  )

/** The rows of the left view whose reference is no id of the right view. */
function dangling({ column }: Reference, left: Selection, right: Selection): JsonObject[] {
  const ids = new Set(right.rows.map(({ id }) => canonical(id ?? null)))
  const isDangling = (value: Json) => value !== null && !ids.has(canonical(value))
  return left.rows.filter((row) => isDangling(row[column] ?? null))
}

/** @param again reads the rows without a partner once more */
async function judge(
  { from, column, to }: Reference,
  { count, lost }: { count: number; lost: readonly JsonObject[] },
  seen: readonly Selection[],
  again: () => Promise<readonly JsonObject[]>,
): Promise<Finding> {
  if (count < 2 || lost.length === 0) return compared(count, 'reference', `each has its row in ${to}`, {}, 2)
  const valueOf = (row: JsonObject) => row[column] ?? null
  const still = new Set((await again()).map((row) => canonical(valueOf(row))))
  const values = [...new Map(lost.map((row) => [canonical(valueOf(row)), valueOf(row)]))]
    .filter(([key]) => still.has(key))
    .map(([, value]) => show(value))
  const [first] = values
  if (first === undefined)
    return inconclusive(`values of ${from}.${column} had no row in ${to} at first, and one later`, {
      concurrentChange: true,
    })
  const named = values.slice(0, 5).join(', ') + (values.length > 5 ? ` and ${values.length - 5} more` : '')
  return fail({
    message: `${values.length} of the values of ${from}.${column} name no row of ${to}: ${named}`,
    expected: `a row of ${to} for each`,
    actual: first,
    exchanges: seen.map(({ reply }) => reply.exchange),
  })
}

const split = ({ from, to }: { from: string; to: string }): Reference => {
  const [view, column] = from.split('.') as [ViewName, string]
  return { from: view, column, to: to.split('.')[0] as ViewName }
}

export const referenceChecks: Check[] = [
  check({
    id: 'references.parents',
    requirement: 'REQ-VIEW-PARENT-REF',
    title: 'have a row in v_experiments for every parent_id',
    killedBy: ['references-to-parents-dangle'],
    run: (t) => resolves(t, split(contract.parent)),
  }),
  ...contract.relations.map((relation) =>
    check({
      id: `references.resolve:${relation.from}`,
      requirement: 'REQ-VIEW-REFS',
      title: `have a row in ${relation.to} for every ${relation.from}`,
      killedBy: ['references-dangle'],
      run: (t) => resolves(t, split(relation)),
    }),
  ),
]
