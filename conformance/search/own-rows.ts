import { contract, type ViewName } from '../../schemas/index.ts'
import { changeInWords } from '../comparisons/row-changes.ts'
import { isSameValue } from '../comparisons/same-value.ts'
import { marginOf } from '../comparisons/splitting-date.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { show, type JsonObject } from '../connection/values/json.ts'
import { ifReadable } from '../connection/not-exercised.ts'
import type { Reply } from '../connection/reply.ts'
import { isComplete, whole } from '../connection/samples/whole.ts'
import type { Selection, Target } from '../connection/target.ts'
import { newest, updatesOf } from '../connection/values/updates.ts'
import { columnsOf } from './statements/syntax.ts'
import { difference } from './results/compare.ts'
import { evaluate } from './evaluate.ts'
import { readable } from './statements/generator-context.ts'
import type { Results } from './results/results.ts'
import type { Asked, RowSource } from './side-by-side.ts'
import { joinedUpdates, midnightOf, mostStraddling } from './straddling.ts'
import { freeDates, type KnownValues } from './statements/values.ts'

/** With fewer rows, a view proves nothing. */
const LEAST_ROWS = 2
/** Maximum number of rows that a statement may return. Only the join of many with many has more than two views together. */
const MOST_ROWS = 20_000

/**
 * The views that a target returns whole. Their rows say what every documented statement on them must return, whatever
 * the data. Values may be spelled differently in every response.
 */
export class OwnRows implements RowSource {
  readonly near = isSameValue
  readonly show = show
  readonly #target: Target
  readonly #views: ReadonlyMap<ViewName, Selection>

  constructor(target: Target, views: ReadonlyMap<ViewName, Selection>) {
    this.#target = target
    this.#views = views
  }

  /** Reads the views with all documented columns. */
  static async read(t: Target): Promise<OwnRows> {
    const views = new Map<ViewName, Selection>()
    for (const view of readable) {
      const columns = columnsOf({ view, alias: view }).map(({ name }) => name)
      const missing = (await ifReadable(t.columns(view)))?.missing
      const all = missing?.length === 0 ? await ifReadable(whole(t, view, columns)) : undefined
      if (all && all.rows.length >= LEAST_ROWS) views.set(view, all)
    }
    return new OwnRows(t, views)
  }

  get views(): ViewName[] {
    return [...this.#views.keys()]
  }

  /** The views with deltas, the one with the newest row first. */
  get changing(): ViewName[] {
    const newestOf = (view: ViewName) => newest(updatesOf(this.#rows(view))) ?? 0n
    return contract.delta.views
      .filter((view) => this.#views.has(view))
      .toSorted((one, other) => (newestOf(one) > newestOf(other) ? -1 : 1))
  }

  /** What the generators need to know of the rows. */
  async values(): Promise<KnownValues> {
    const spelling = await this.#target.dateSpelling()
    const dates = new Map(
      [...this.#views].map(
        ([view, { rows }]) => [view, freeDates(updatesOf(rows), marginOf(rows), spelling)] as const,
      ),
    )
    return {
      dates: (view) => dates.get(view) ?? [],
      size: (view) => this.#rows(view).length,
      newer: (view, date) => updatesOf(this.#rows(view)).filter((at) => at > midnightOf(date)).length,
      straddling: (pair) => {
        const pairs = joinedUpdates(pair, (view) => this.#rows(view))
        return mostStraddling(dates.get(pair.from.view) ?? [], pairs)
      },
    }
  }

  async expected({ query }: Asked): Promise<{ rows: JsonObject[] } | { unknown: string }> {
    const rows = evaluate(query, (view) => this.#rows(view))
    if (!rows) return { unknown: 'updates are too close to the bound' }
    const most = this.#target.rows(MOST_ROWS)
    return rows.length <= most ? { rows } : { unknown: `the result has more than ${most} rows` }
  }

  async excuse(asked: Asked, reply: Reply, results: Results): Promise<string | undefined> {
    const { actual, expected, chosen } = results
    const lacksRows = actual.length < (chosen ?? expected.length)
    if (lacksRows && this.#isAfterDay(asked, results)) return 'after a date may mean after its end'
    if (lacksRows && !(await isComplete(this.#target, { sql: asked.sql, reply })))
      return 'a cap on responses may have ended one'
    for (const [view, before] of this.#read(asked)) {
      const after = await this.#target.readAgain(before)
      if (after) return changeInWords(view, before, after, 'compared')
    }
    return undefined
  }

  /** Whether rows only lack some of the day of a date. */
  #isAfterDay({ query }: Asked, results: Results): boolean {
    const certain = evaluate(query, (view) => this.#rows(view), 'end of day')
    if (!certain) return false
    const { actual, chosen } = results
    if (actual.length < Math.min(chosen ?? Infinity, certain.length)) return false
    // Every row is expected, and no certain one is missing.
    const isPart = (part: readonly JsonObject[], all: readonly JsonObject[]) =>
      !difference({ ...results, expected: all, actual: part, chosen: part.length })
    return isPart(actual, results.expected) && (chosen !== undefined || isPart(certain, actual))
  }

  shownBy(asked: Asked): Exchange[] {
    return this.#read(asked).map(([, { reply }]) => reply.exchange)
  }

  /** The views that a statement reads. */
  #read({ query }: Asked): [ViewName, Selection][] {
    const { from, join, after } = query
    const bound = after && 'newestOf' in after ? [after.newestOf] : []
    const views = new Set([from.view, ...(join ? [join.source.view] : []), ...bound])
    return [...this.#views].filter(([view]) => views.has(view))
  }

  #rows(view: ViewName): readonly JsonObject[] {
    return this.#views.get(view)?.rows ?? []
  }
}
