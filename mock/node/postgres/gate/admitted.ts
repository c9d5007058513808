import { limitOf } from '../../../gate/parameters.ts'
import { type Admission, admit } from '../../../gate/gate.ts'
import { withSchema } from '../../../gate/relations.ts'
import { isRepeatable } from '../../../gate/repeatable.ts'
import { rowFormat } from '../../../engine/result/row-format.ts'
import { type EngineSettings, StatementRefused } from '../../../statement.ts'
import { type Fields, walk } from '../../../syntax-tree.ts'
import { refuseFunctionsAsColumns } from './column-notation.ts'

/** A statement, as data for another thread. */
export interface Asked {
  readonly statement: string
  readonly settings: EngineSettings
  /** The schema of the views. */
  readonly schema: string
  /** The columns that the views have beyond the contract. */
  readonly columns: readonly string[]
}

/** A statement that passed the gate, as data for another thread. */
export interface Admitted extends Pick<Admission, 'text' | 'ordered' | 'sources' | 'silent'> {
  /** The text to execute, which names each view with its schema. */
  readonly text: string
  /** Whether the client wrote a schema. */
  readonly hasSchemas: boolean
  /** The names of columns as the statement spells them; empty unless the settings ask for them. */
  readonly spelled: ReadonlyMap<string, string>
  readonly isRepeatable: boolean
  /** The rows that its LIMIT permits. */
  readonly limit: number | undefined
}

/**
 * Asks the gate. A schema before the name of a view is refused unless it is `public` and the views are there: the gate knows that
 * name, which may be that of other views in a shared database.
 *
 * @throws StatementRefused
 */
export function admitted({ statement, settings, schema, columns }: Asked): readonly Admitted[] {
  const spells = rowFormat(settings).keyCase !== undefined
  return admit(statement, settings).map(({ text, views, ordered, sources, silent, select, spelled }) => {
    const hasSchemas = namesSchemas(select)
    if (hasSchemas && schema !== 'public')
      throw new StatementRefused('other', 'Write the names of views without a schema.', '0A000')
    refuseFunctionsAsColumns(select, columns)
    return {
      text: withSchema(text, views, schema),
      hasSchemas,
      ordered,
      sources,
      silent,
      spelled: spells ? spelled() : new Map(),
      isRepeatable: isRepeatable(select),
      limit: limitOf(select),
    }
  })
}

function namesSchemas(select: Fields): boolean {
  let found = false
  walk(select, (fields) => {
    if ('relname' in fields && fields['schemaname'] !== undefined) found = true
  })
  return found
}
