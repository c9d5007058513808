import type { Page, Result } from '../result/result.ts'
import type { Scopes } from './scopes.ts'
import { noChanges } from '../views/views.ts'
import { concat, frontend, MessageReader } from '../result/wire.ts'
import type { Database } from './database.ts'
import { firstPageRows, portal, type Run } from './run.ts'

/** Most rows of any page but the first, and bytes that a page aims at. */
const [maxPageRows, pageBytes] = [5000, 1 << 20]

/** A chunk of this size is one large row. It filled the memory of the database, which never shrinks. In bytes. */
const largeRowBytes = 8 << 20

const begin = frontend.query('BEGIN READ ONLY')
const beginIn = (zone: string) => frontend.query(`BEGIN READ ONLY; SET LOCAL timezone = '${zone}'`)
const nextRows = (rows: number) => concat(frontend.execute(portal, rows), frontend.sync())
const firstRows = nextRows(firstPageRows)
const rollback = frontend.query('ROLLBACK')

/** All rows, and the end of the transaction that the statement has begun by itself. */
const allRows = concat(
  frontend.execute(portal, 0),
  frontend.parse('ROLLBACK'),
  frontend.bind(''),
  frontend.execute('', 0),
  frontend.sync(),
)

/**
 * The rows of a statement, page by page. A small result takes one exchange: the statement begins a transaction, which is
 * READ ONLY by default, and it is rolled back at once. Others keep theirs until their last page is read.
 *
 * @throws SqlError, also after the first page
 * @throws SessionPoisoned
 */
export async function* pagesOf(database: Database, scopes: Scopes, run: Run): AsyncGenerator<Page, void> {
  const { start, result, scope, searched = scope.schema, changes = noChanges, zone, isSmall } = run
  await scopes.show(scope, changes)
  const search = database.searchIn(searched)
  if (isSmall) {
    await database.exchange(concat(...search, start, allRows), result.reader)
    return yield takePage(database, result)
  }
  try {
    let request = concat(...search, zone === undefined ? begin : beginIn(zone), start, firstRows)
    for (;;) {
      await database.exchange(request, result.reader)
      const page = takePage(database, result)
      yield page
      if (page.last) return
      request = nextRows(Math.min(Math.ceil(pageBytes / result.averageRowBytes), maxPageRows))
    }
  } finally {
    await database.exchange(rollback, new MessageReader(() => {}))
  }
}

function takePage(database: Database, result: Result): Page {
  const page = result.takePage()
  if (page.chunks.some(({ length }) => length >= largeRowBytes)) database.sentLargeRow = true
  return page
}
