import { type Page, Result } from '../result/result.ts'
import type { Scopes } from './scopes.ts'
import { noChanges, viewChanges } from '../views/views.ts'
import { firstPage, isSmall, nextPage, openPortal, portal, rollback } from '../result/portal.ts'
import { concat, frontend, MessageReader } from '../result/wire.ts'
import type { Database } from './database.ts'
import type { Admission } from '../../gate/gate.ts'
import type { Template } from '../../gate/literals.ts'
import { limitOf } from '../../gate/parameters.ts'
import { isRepeatable, mayBeClock } from '../../gate/repeatable.ts'
import { deltaZone } from '../../open-points/delta/zone.ts'
import type { ViewChanges } from '../../open-points/view-change.ts'
import type { EngineSettings } from '../../statement.ts'
import { rowFormat } from '../result/row-format.ts'
import { type PreparedShape, valuesOf } from './shapes.ts'
import { nameSources } from '../result/sources.ts'
import type { Scope } from './scope.ts'

/** How a statement runs. */
export interface Run {
  /** The messages that open the portal. */
  readonly start: Uint8Array
  readonly result: Result
  readonly scope: Scope
  /** The schema in which the database looks for views. Default: that of the scope. */
  readonly searched?: string
  /** The changes that the views of the scope need. Default: none. */
  readonly changes?: readonly ViewChanges[]
  /** The time zone of the transaction. Default: UTC. */
  readonly zone?: string | undefined
  /** Whether the rows fit the first page, so that all are read at once. */
  readonly isSmall: boolean
}

/** A statement that the gate admitted. */
export function admittedRun(
  { text, ordered, select, sources, spelled }: Admission,
  settings: EngineSettings,
  scope: Scope,
  database: Database,
): Run {
  const format = rowFormat(settings)
  const rename = format.keyCase?.(spelled)
  const { sessionZone: zone } = deltaZone(settings)
  return {
    start: openPortal(text),
    result: new Result({
      isRepeatable: isRepeatable(select),
      format,
      toColumns: (fields) => nameSources(fields, sources, database.viewNames, rename),
      mayReorder: !ordered,
    }),
    scope,
    changes: viewChanges(settings),
    zone,
    isSmall: zone === undefined && isSmall(limitOf(select)),
  }
}

/** A statement of a shape that was prepared. */
export function shapedRun(shape: PreparedShape, template: Template, scope: Scope): Run {
  const values = valuesOf(shape, template)
  const result = new Result({ isRepeatable: shape.isRepeatable && !values.some(mayBeClock) })
  result.describe(shape.fields)
  return {
    start: frontend.bind(portal, shape.name, values),
    result,
    scope,
    searched: shape.searched,
    isSmall: isSmall(shape.limit),
  }
}

/** A chunk of this size is one large row. It filled the memory of the database, which never shrinks. In bytes. */
const largeRowBytes = 8 << 20

const begin = frontend.query('BEGIN READ ONLY')
const beginIn = (zone: string) => frontend.query(`BEGIN READ ONLY; SET LOCAL timezone = '${zone}'`)

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
  const { start, result, scope, searched = scope.schema, changes = noChanges, zone } = run
  await scopes.show(scope, changes)
  const search = database.searchIn(searched)
  if (run.isSmall) {
    await database.exchange(concat(...search, start, allRows), result.reader)
    return yield takePage(database, result)
  }
  try {
    let request = concat(...search, zone === undefined ? begin : beginIn(zone), start, firstPage)
    for (;;) {
      await database.exchange(request, result.reader)
      const page = takePage(database, result)
      yield page
      if (page.last) return
      request = nextPage(result)
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
