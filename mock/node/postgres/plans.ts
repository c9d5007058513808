import { Result } from '../../engine/result.ts'
import { rowFormat } from '../../engine/row-format.ts'
import { nameSources } from '../../engine/sources.ts'
import type { SpareMemory } from '../../engine/spare-memory.ts'
import { deltaZone } from '../../open-points/delta/zone.ts'
import type { EngineSettings } from '../../statement.ts'
import type { Admitted } from './gate/admitted.ts'
import type { Host } from './host.ts'
import type { Hosts } from './hosts.ts'
import { firstPageRows, type Plan, type PositionListener } from './pages.ts'
import { preamble, type PreambleOptions } from './preamble.ts'

/** A standby has not replayed what the owner of a statement has seen. */
export class TooEarly extends Error {
  override readonly name = 'TooEarly'
}

/** Decides how a statement runs on a host. */
export class Plans {
  readonly #options: PreambleOptions
  readonly #hosts: Hosts
  readonly #memory: SpareMemory
  readonly #views = new Map<Host, ReadonlyMap<number, string>>()
  /** The first messages of a transaction, by time zone. */
  readonly #openings = new Map<string, Uint8Array>()

  constructor(options: PreambleOptions, hosts: Hosts, memory: SpareMemory) {
    this.#options = options
    this.#hosts = hosts
    this.#memory = memory
  }

  /**
   * Takes note of the views of a host, by their OIDs.
   *
   * @returns whether nothing was known of the host before
   */
  know(host: Host, views: ReadonlyMap<number, string>): boolean {
    const isNew = !this.#views.has(host)
    this.#views.set(host, views)
    return isNew
  }

  of(host: Host, statement: Admitted, settings: EngineSettings, owner: string): Plan {
    const { text, sources, spelled, ordered, isRepeatable, limit } = statement
    const format = rowFormat(settings)
    const rename = format.keyCase?.(() => spelled)
    const { sessionZone = 'UTC' } = deltaZone(settings)
    const positions = this.#hosts.all.length > 1 ? this.#positions(host, owner) : undefined
    return {
      text,
      opening: this.#opening(sessionZone, positions !== undefined),
      isSmall: limit !== undefined && limit <= firstPageRows,
      ...(positions && { positions }),
      result: new Result({
        isRepeatable,
        format,
        toColumns: (fields) => {
          const columns = nameSources(fields, sources, this.#views.get(host)!)
          return rename ? columns.map((column) => ({ ...column, name: rename(column.name) })) : columns
        },
        mayReorder: !ordered,
        memory: this.#memory,
      }),
    }
  }

  #positions(host: Host, owner: string): PositionListener {
    const { seen } = this.#hosts
    return {
      before(position) {
        host.observe(position)
        // what a primary lacks was lost when another host became the primary
        if (position.inRecovery && position.bytes < seen.of(owner)) throw new TooEarly()
      },
      after: ({ bytes }) => seen.add(owner, bytes),
    }
  }

  #opening(zone: string, readsPosition: boolean): Uint8Array {
    const known = this.#openings.get(zone)
    if (known) return known
    const opening = preamble(this.#options, zone, readsPosition)
    this.#openings.set(zone, opening)
    return opening
  }
}
