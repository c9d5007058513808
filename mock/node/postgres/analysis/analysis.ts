import { parseQuery } from '../../../engine/result/portal.ts'
import type { Page } from '../../../engine/result/result.ts'
import { backend, concat, frontend, readError } from '../../../engine/result/wire.ts'
import { Database } from '../../../engine/session/database.ts'
import { explainDenial } from '../../../engine/session/refusals.ts'
import { Session } from '../../../engine/session/session.ts'
import type { Artifacts } from '../../../engine/snapshot/artifacts.ts'
import type { ChangeStep } from '../../../engine/views/change.ts'
import { defaultSettings } from '../../../open-points/settings.ts'
import { type EngineSettings, refused, type SqlError } from '../../../statement.ts'
import { nothing, type Reading } from '../../../syntax/reading.ts'
import { type Catalogue, catalogueSql } from './catalogue.ts'
import { denied, viewsRead } from './tree.ts'

/** PostgreSQL then sends the tree of each query that it analyses. */
const sendTrees = 'SET debug_print_parse = on; SET debug_pretty_print = off; SET client_min_messages = log'

/**
 * Analyses statements for another PostgreSQL in place of running them. PostgreSQL resolves the names in a text here, in a database
 * that has the views of that server and no rows; the tree of a query has the numbers of all functions, relations and types that
 * it uses (docs/decisions/0006). Nothing is executed.
 */
export class Analysis extends Session {
  #catalogue!: Catalogue

  static override async open(snapshot: Uint8Array, artifacts: Artifacts): Promise<Analysis> {
    return new Analysis(await Database.start(snapshot, artifacts), artifacts.parser)
  }

  /** Takes over the facts of the server, see host-facts.ts. */
  override async apply(steps: readonly ChangeStep[]): Promise<void> {
    await super.apply(steps)
    await this.tables.asOwner(async () => {
      const { rows } = await this.database.query<{ catalogue: string }>(catalogueSql)
      this.#catalogue = JSON.parse(rows[0]!.catalogue) as Catalogue
    })
    await this.database.exec(`SET search_path = ${this.#catalogue.search_path}; ${sendTrees}`)
  }

  /**
   * Yields the statements of a text that may run, as JSON.
   *
   * @throws SqlError for one that PostgreSQL or a setting refuses, or that uses what it may not
   */
  override async *run(
    statement: string,
    settings: EngineSettings = defaultSettings,
  ): AsyncGenerator<Page, void> {
    const analysed: Reading[] = []
    for (const reading of await this.read(statement, settings))
      analysed.push(await this.#analyse(reading, settings))
    const json = JSON.stringify(analysed.map(({ spelled, ...rest }) => ({ ...rest, spelled: [...spelled] })))
    yield { columns: [], chunks: [new TextEncoder().encode(json)], last: true }
  }

  async #analyse(reading: Reading, settings: EngineSettings): Promise<Reading> {
    let tree = ''
    const error = await this.ask(concat(parseQuery(reading.text), frontend.sync()), (type, ...body) => {
      if (type === backend.notice) tree += readError(...body).detail
    })
    if (error) {
      await this.explain(reading, error, settings)
      return nothing
    }
    if (reading.refusal) throw reading.refusal
    if (tree === '') throw refused('The statement has too many parts to be analysed. Split it.', '54000')
    for (const view of this.#viewsRead(tree, settings)) {
      const denial = denied(`view ${view}`)
      const explained = explainDenial(denial, settings)
      if (explained !== denial) throw explained
    }
    return reading
  }

  #viewsRead(tree: string, settings: EngineSettings): readonly string[] {
    try {
      return viewsRead(tree, this.#catalogue)
    } catch (error) {
      throw explainDenial(error as SqlError, settings)
    }
  }
}
