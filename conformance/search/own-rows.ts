import { contract, type ViewName } from '../../schemas/index.ts'
import { isBelowCap } from '../answers/below-cap.ts'
import { changeInWords } from '../comparisons/row-changes.ts'
import { isSameValue } from '../comparisons/same-value.ts'
import { marginOf } from '../comparisons/splitting-date.ts'
import { midnightOf } from '../connection/values/instant.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { canonical, show, type JsonObject } from '../connection/values/json.ts'
import { ifReadable } from '../connection/not-exercised.ts'
import type { Reply } from '../connection/http/reply.ts'
import { MOST_ROWS, wholeLarge } from '../samples/large.ts'
import { LONG_LIMIT, whole } from '../samples/whole.ts'
import type { Selection, Target } from '../connection/target.ts'
import { newest, updatesOf } from '../connection/values/updates.ts'
import { columnsOf, type ColumnUse } from './statements/syntax.ts'
import { difference } from './results/compare.ts'
import { evaluate } from './evaluate.ts'
import { POINTS, readable, single } from './statements/generator-context.ts'
import type { Results } from './results/results.ts'
import type { Asked, RowSource } from './side-by-side.ts'
import { joinedUpdates, mostStraddling } from './straddling.ts'
import { freeDates, type KnownValues } from './statements/values.ts'
import { wholeSeries } from './whole-series.ts'

/** With fewer rows, a view proves nothing. */
const LEAST_ROWS = 2
/** Maximum memory of a view in the search, which reads each several times, in bytes. */
const MOST_SEARCHED = 8 * 1024 * 1024
/** Maximum length of the values of a short column on average, as JSON. */
const SHORT = 250
/** The number of rows that this average is taken of. */
const SAMPLE = 50

const namesOf = (view: ViewName): string[] => columnsOf(single(view)).map(({ name }) => name)

/**
 * The views that a target returns whole. Their rows say what every documented statement on them must return, whatever
 * the data. Values may be spelled differently in every response.
 */
export class OwnRows implements RowSource {
  readonly near = isSameValue
  readonly show = show
  readonly #target: Target
  readonly #views: ReadonlyMap<ViewName, Selection>
  /** The answer with points, and those of whole series. */
  readonly #points: { read: Selection; rows: readonly JsonObject[] } | undefined
  /** Why large views were not read whole, one sentence each. */
  readonly unread: readonly string[]

  private constructor(
    target: Target,
    views: ReadonlyMap<ViewName, Selection>,
    points: Selection | undefined,
    unread: readonly string[],
  ) {
    this.#target = target
    this.#views = views
    const rows = points ? wholeSeries(points.rows, this.rows('v_timeseries')) : []
    this.#points = points && rows.length > 0 ? { read: points, rows } : undefined
    this.unread = unread
  }

  /** The views with all documented columns, read once. */
  static of(t: Target): Promise<OwnRows> {
    return t.once('whole views', () => OwnRows.read(t))
  }

  /** Reads the views with all documented columns, one after another, and some points. */
  static async read(t: Target): Promise<OwnRows> {
    const views = new Map<ViewName, Selection>()
    const unread: string[] = []
    for (const view of readable) {
      const missing = (await ifReadable(t.columns(view)))?.missing
      if (missing?.length !== 0) continue
      const columns = namesOf(view)
      const all = (await ifReadable(whole(t, view, columns))) ?? (await wholeLarge(t, view, columns))
      if (typeof all === 'string') unread.push(`${view} was not read whole: ${all}.`)
      else if (all.rows.length >= LEAST_ROWS) views.set(view, all)
    }
    const columns = namesOf(POINTS)
    const sql = `SELECT ${columns.join(', ')} FROM ${POINTS} LIMIT ${t.rows(LONG_LIMIT)}`
    const points = views.has('v_timeseries') ? await ifReadable(t.selectOnce(sql, columns)) : undefined
    return new OwnRows(t, views, points, unread)
  }

  get views(): ViewName[] {
    return [...this.#views.keys()]
  }

  /** The views that are small enough to be read several times. */
  get searched(): ViewName[] {
    return this.views.filter(
      (view) => this.#views.get(view)!.reply.exchange.response!.memory <= MOST_SEARCHED,
    )
  }

  /** All rows of a view, or the points of whole series; empty if it was not read whole. */
  readonly rows = (view: ViewName): readonly JsonObject[] =>
    view === POINTS ? (this.#points?.rows ?? []) : (this.#views.get(view)?.rows ?? [])

  /** Whether the values of a column are short: many rows of a join may repeat them. */
  readonly isShort = (view: ViewName, { name, isJson }: ColumnUse): boolean => {
    const some = this.rows(view).slice(0, SAMPLE)
    const length = some.reduce((sum, row) => sum + canonical(row[name] ?? null).length, 0)
    return !isJson || (some.length > 0 && length <= SHORT * some.length)
  }

  /** The views with deltas, the one with the newest row first. */
  get changing(): ViewName[] {
    const newestOf = (view: ViewName) => newest(updatesOf(this.rows(view))) ?? 0n
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
      size: (view) => this.rows(view).length,
      newer: (view, { date }) => updatesOf(this.rows(view)).filter((at) => at > midnightOf(date)).length,
      straddling: (pair) => {
        const pairs = joinedUpdates(pair, this.rows)
        return mostStraddling(dates.get(pair.from.view) ?? [], pairs)
      },
      joined: (pair) => {
        const pairs = joinedUpdates(pair, this.rows)
        return (bound) => pairs.filter(([left]) => !bound || left > midnightOf(bound.date)).length
      },
      isShort: this.isShort,
    }
  }

  async expected({ query }: Asked): Promise<{ rows: JsonObject[] } | { unknown: string }> {
    const rows = evaluate(query, this.rows)
    if (!rows) return { unknown: 'updates are too close to the bound' }
    const most = this.#target.rows(MOST_ROWS)
    return rows.length <= most ? { rows } : { unknown: `the result has more than ${most} rows` }
  }

  async excuse(asked: Asked, reply: Reply, results: Results): Promise<string | undefined> {
    const { actual, expected, chosen } = results
    const lacksRows = actual.length < (chosen ?? expected.length)
    if (lacksRows && this.#isAfterDay(asked, results)) return 'after a date may mean after its end'
    if (lacksRows && !(await isBelowCap(this.#target, { sql: asked.sql, reply })))
      return 'a cap on responses may have ended one'
    return this.change(asked)
  }

  /** Reads the views of a statement again. @returns how they changed; undefined if they did not */
  async change(asked: Pick<Asked, 'query'>): Promise<string | undefined> {
    for (const [view, before] of this.#read(asked)) {
      const after = await this.#target.readAgain(before)
      if (after) return changeInWords(view, before, after, 'compared')
    }
    return undefined
  }

  /** Whether rows only lack some of the day of a date. */
  #isAfterDay({ query }: Asked, results: Results): boolean {
    const certain = evaluate(query, this.rows, 'end of day')
    if (!certain) return false
    const { actual, chosen } = results
    if (actual.length < Math.min(chosen ?? Infinity, certain.length)) return false
    // Every row is expected, and no certain one is missing.
    const isPart = (part: readonly JsonObject[], all: readonly JsonObject[]) =>
      !difference({ ...results, expected: all, actual: part, chosen: part.length })
    return isPart(actual, results.expected) && (chosen !== undefined || isPart(certain, actual))
  }

  shownBy(asked: Pick<Asked, 'query'>): Exchange[] {
    return this.#read(asked).map(([, { reply }]) => reply.exchange)
  }

  /** The views that a statement reads. */
  #read({ query }: Pick<Asked, 'query'>): [ViewName, Selection][] {
    const { from, join, after } = query
    const bound = after && 'newestOf' in after ? [after.newestOf] : []
    const views = new Set([from.view, ...(join ? [join.source.view] : []), ...bound])
    const points = this.#points ? [[POINTS, this.#points.read] as const] : []
    return [...this.#views, ...points].filter(([view]) => views.has(view)) as [ViewName, Selection][]
  }
}
