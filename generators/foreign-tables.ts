import { contract } from '../schemas/contract.ts'
import { views, type ColumnDefinition, type ViewDefinition } from '../schemas/views.ts'

type Types = Readonly<Record<ColumnDefinition['postgres'], string>>

const ofMariadb: Types = {
  text: 'TEXT',
  timestamptz: 'DATETIME(6)',
  float8: 'DOUBLE',
  numeric: 'DOUBLE',
  boolean: 'BIT(1)',
  jsonb: 'JSON',
}

const ofClickhouse: Types = {
  text: 'String',
  timestamptz: 'String',
  float8: 'Float64',
  numeric: 'Float64',
  boolean: 'UInt8',
  jsonb: 'String',
}

const keysOf = ({ name }: ViewDefinition): string => `(${contract.keys[name].join(', ')})`

function mariadbTable(view: ViewDefinition): string {
  const { name, columns } = view
  const keys = contract.keys[name]
  const typeOf = ({ name, postgres }: ColumnDefinition) =>
    // a text needs a length for an index
    postgres === 'text' && (keys.includes(name) || name.endsWith('_id')) ? 'VARCHAR(64)' : ofMariadb[postgres]
  const lines = columns.map((column) => {
    const mayBeNull = column.nullable || column.optional
    return `${column.name} ${typeOf(column)}${mayBeNull ? '' : ' NOT NULL'}`
  })
  const index = contract.uniqueIds.includes(name) ? 'PRIMARY KEY' : 'INDEX'
  return `CREATE TABLE ${name} (\n  ${[...lines, `${index} ${keysOf(view)}`].join(',\n  ')}\n);`
}

function clickhouseTable(view: ViewDefinition): string {
  const lines = view.columns.map(({ name, postgres, nullable, nullOnlyWithout }) => {
    const type = ofClickhouse[postgres]
    return `${name} ${nullable && nullOnlyWithout === undefined ? `Nullable(${type})` : type}`
  })
  return `CREATE TABLE ${view.name} (\n  ${lines.join(',\n  ')}\n) ENGINE = MergeTree ORDER BY ${keysOf(view)};`
}

const tables = { 'mariadb-dbhub': mariadbTable, clickhouse: clickhouseTable }

/** A file `tables.sql` of examples/foreign with its tables renewed; what stands before the first of them stays. */
export const withTables = (text: string, database: keyof typeof tables): string =>
  `${text.slice(0, text.indexOf('CREATE TABLE'))}${views.map(tables[database]).join('\n\n')}\n`
