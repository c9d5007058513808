import type { Service } from '../service/service.ts'
import { sqlLiteral } from '../../base/text/sql-literal.ts'

/** The points of some series, which grow by deltas. */
export class PointStore {
  readonly #service: Service
  readonly #points = new Map<string, Map<number, number>>()
  #newest = ''

  constructor(service: Service) {
    this.#service = service
  }

  /** Reads the points of the series that are not there yet. */
  async load(ids: readonly string[], signal?: AbortSignal): Promise<void> {
    const missing = ids.filter((id) => !this.#points.has(id))
    if (missing.length === 0) return
    await this.#read(missing, '', signal)
    for (const id of missing) if (!this.#points.has(id)) this.#points.set(id, new Map())
  }

  /** Reads what has changed since the newest row; returns the number of rows. */
  async follow(ids: readonly string[], signal?: AbortSignal): Promise<number> {
    if (ids.length === 0 || this.#newest === '') return 0
    return this.#read(ids, `AND last_updated_at > ${sqlLiteral(this.#newest)}`, signal)
  }

  /** The points of a series in the order of their times, which are milliseconds since 1970. */
  of(id: string) {
    const sorted = [...(this.#points.get(id) ?? [])].sort(([a], [b]) => a - b)
    return { times: sorted.map(([time]) => time), values: sorted.map(([, value]) => value) }
  }

  async #read(ids: readonly string[], filter: string, signal: AbortSignal | undefined): Promise<number> {
    const rows = await this.#service.read(
      `SELECT id, timestamp, value, last_updated_at FROM v_timeseries_data WHERE id IN (${ids.map(sqlLiteral).join(', ')}) ${filter}`,
      signal,
    )
    for (const [id, timestamp, value, updated] of rows) {
      const series = this.#points.get(String(id)) ?? new Map<number, number>()
      const time = Date.parse(String(timestamp))
      if (Number.isFinite(time) && value !== null) series.set(time, Number(value))
      this.#points.set(String(id), series)
      if (typeof updated === 'string' && updated > this.#newest) this.#newest = updated
    }
    return rows.length
  }
}
