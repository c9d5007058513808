import type { Micros } from '../../../base/time/micros.ts'
import { deltaZone } from '../../open-points/delta/zone.ts'
import type { EngineSettings } from '../../statement.ts'
import type { Reading } from '../../syntax/reading.ts'
import { begin, firstPage, nextPage, openPortal, rollback } from '../result/portal.ts'
import { type Page, Result } from '../result/result.ts'
import { rowFormat } from '../result/row-format.ts'
import { nameSources } from '../result/sources.ts'
import { concat, frontend, MessageReader } from '../result/wire.ts'
import type { Database } from './database.ts'

/** A chunk of this size is one large row. It filled the memory of the database, which never shrinks. In bytes. */
const largeRowBytes = 8 << 20

const beginIn = (zone: string) => frontend.query(`BEGIN READ ONLY; SET LOCAL timezone = '${zone}'`)

/**
 * Runs a statement in a READ ONLY transaction of its own, which is rolled back after the last page.
 *
 * @param now what the transaction is told as the time of its start, microseconds since 1970. Default: the real time
 * @throws SqlError, also after the first page
 * @throws SessionPoisoned
 */
export async function* pagesOf(
  database: Database,
  { text, ordered, sources, spelled }: Reading,
  settings: EngineSettings,
  now?: Micros,
): AsyncGenerator<Page, void> {
  const format = rowFormat(settings)
  const rename = format.keyCase?.(() => spelled)
  const { sessionZone: zone } = deltaZone(settings)
  const result = new Result({
    format,
    toColumns: (fields) => nameSources(fields, sources, database.viewNames, rename),
    mayReorder: !ordered,
  })
  database.clock.set(now)
  try {
    let request = concat(zone === undefined ? begin : beginIn(zone), openPortal(text), firstPage)
    for (;;) {
      await database.exchange(request, result.reader)
      const page = result.takePage()
      if (page.chunks.some(({ length }) => length >= largeRowBytes)) database.sentLargeRow = true
      yield page
      if (page.last) return
      request = nextPage(result)
    }
  } finally {
    await database.exchange(rollback, new MessageReader(() => {}))
  }
}
