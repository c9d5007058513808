import pg from 'pg'
import { ddl } from '../../../../schemas/generated/ddl.ts'
import { DatabaseOptionError } from '../errors.ts'

/** Where a plant is in a database, and the statements that create it there. */
export interface Layout {
  /** The schema of the views. */
  readonly views: string
  /** The schema of the tables, which the reading role may not use. */
  readonly tables: string
  /** Both and the name of tables that are being replaced, quoted for SQL. */
  readonly sql: { readonly views: string; readonly tables: string; readonly before: string }
  readonly createTables: readonly string[]
  /** Created once the rows are there: an index that grows with its rows costs more. */
  readonly createIndexes: readonly string[]
  readonly createViews: readonly string[]
}

/** The longest name of PostgreSQL is 63 bytes, and that of the tables is longer than that of the views. */
const schemaName = /^[a-z_][a-z0-9_]{0,49}$/

/** @throws DatabaseOptionError for a name that SQL would have to quote */
export function layoutOf(schema: string): Layout {
  if (!schemaName.test(schema) || schema.startsWith('pg_'))
    throw new DatabaseOptionError(
      `"${schema}" is not a name for --schema. Use up to 50 lower case letters, digits and underscores.`,
    )
  const tables = schema === 'public' ? 'plant' : `${schema}_plant`
  const [own, ofTables, before] = [schema, tables, `${tables}_before`].map((name) =>
    pg.escapeIdentifier(name),
  ) as [string, string, string]
  const sql = { views: own, tables: ofTables, before }
  const statements = ddl
    .split(/;\n+/)
    .filter((statement) => statement.startsWith('CREATE ') && !statement.startsWith('CREATE SCHEMA'))
    .map((statement) =>
      statement.replace(/\bplant\./g, `${sql.tables}.`).replace(/\bpublic\./g, `${sql.views}.`),
    )
  const starting = (kind: string) => statements.filter((statement) => statement.startsWith(`CREATE ${kind} `))
  return {
    views: schema,
    tables,
    sql,
    createTables: starting('TABLE'),
    createIndexes: starting('INDEX'),
    createViews: starting('VIEW'),
  }
}
