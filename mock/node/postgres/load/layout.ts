import pg from 'pg'
import { ddl } from '../../../../schemas/generated/ddl.ts'
import { DatabaseOptionError } from '../errors.ts'
import { defaultSchema } from '../options.ts'

/** Where a plant is in a database, and the statements that create it there. */
export interface Layout {
  /** The schema of the views. */
  readonly views: string
  /** The schema of the tables, which the reading role may not use. */
  readonly tables: string
  /** Both, quoted for SQL. */
  readonly sql: { readonly views: string; readonly tables: string }
  readonly createSchemas: readonly string[]
  readonly createTables: readonly string[]
  readonly createViews: readonly string[]
  /** Created once the rows are there: an index that grows with its rows costs more. */
  readonly createIndexes: readonly string[]
}

/** The longest name of PostgreSQL is 63 bytes, and that of the tables is longer than that of the views. */
const schemaName = /^[a-z_][a-z0-9_]{0,49}$/

/** @throws DatabaseOptionError for a name that SQL would have to quote */
export function layoutOf(schema: string): Layout {
  if (!schemaName.test(schema) || schema.startsWith('pg_'))
    throw new DatabaseOptionError(
      `"${schema}" is not a name for --schema. Use up to 50 lower case letters, digits and underscores.`,
    )
  const tables = schema === defaultSchema ? 'plant' : `${schema}_plant`
  const sql = { views: pg.escapeIdentifier(schema), tables: pg.escapeIdentifier(tables) }
  const statements = ddl
    .split(/;\n+/)
    .map((statement) =>
      statement.replace(/\bplant\./g, `${sql.tables}.`).replace(/\bpublic\./g, `${sql.views}.`),
    )
  const starting = (kind: string) => statements.filter((statement) => statement.startsWith(`CREATE ${kind} `))
  return {
    views: schema,
    tables,
    sql,
    createSchemas: [`CREATE SCHEMA ${sql.tables}`, `CREATE SCHEMA IF NOT EXISTS ${sql.views}`],
    createTables: starting('TABLE'),
    createViews: starting('VIEW'),
    createIndexes: starting('INDEX'),
  }
}
