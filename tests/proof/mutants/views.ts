import { views, type ColumnDefinition, type ViewDefinition } from '../../../schemas/index.ts'
import { errorReply, onRows, without, wrapper, type Mutant } from '../mutant.ts'

const names = (sql: string | undefined, word: string): boolean =>
  new RegExp(`\\b${word}\\b`, 'i').test(sql ?? '')

const missing = ({ name }: ViewDefinition): Mutant => ({
  id: `view-missing:${name}`,
  breaks: `REQ-VIEW-EXISTS:${name}`,
  defect: `There is no ${name}.`,
  wrap: wrapper((call, next) =>
    names(call.statement, name)
      ? Promise.resolve(errorReply(`relation "${name}" does not exist`))
      : next(call),
  ),
})

const documented = (view: ViewDefinition): readonly ColumnDefinition[] =>
  view.columns.filter(({ optional }) => !optional)

const withoutColumn = (view: ViewDefinition): Mutant[] =>
  documented(view).map(({ name: column }) => ({
    id: `column-missing:${view.name}.${column}`,
    breaks: `REQ-VIEW-COLUMNS:${view.name}`,
    defect: `${view.name} has no column ${column}.`,
    wrap: (fetch) =>
      wrapper((call, next) =>
        names(call.statement, view.name) && names(call.statement, column)
          ? Promise.resolve(errorReply('Error executing statement'))
          : next(call),
      )(onRows((row, { statement }) => (names(statement, view.name) ? without(row, column) : row))(fetch)),
  }))

/** Rewrites the values of one column of one view, wherever rows of it are served. */
const onColumn = (view: ViewDefinition, column: string, rewrite: (value: unknown) => unknown) =>
  onRows((row, { statement }) =>
    names(statement, view.name) && column in row ? { ...row, [column]: rewrite(row[column]) } : row,
  )

/** A type that the column is not documented with. */
const foreign = ({ types }: ColumnDefinition): { as: string; write(value: unknown): unknown } => {
  if (!types.includes('string')) return { as: 'a text', write: (value) => JSON.stringify(value) }
  return types.includes('number')
    ? { as: 'a boolean', write: () => true }
    : { as: 'a number', write: () => 7 }
}

const mistyped = (view: ViewDefinition): Mutant[] =>
  documented(view).map((column) => ({
    id: `column-mistyped:${view.name}.${column.name}`,
    breaks: `REQ-VIEW-TYPES:${view.name}`,
    defect: `${view.name}.${column.name} is served as ${foreign(column).as}.`,
    wrap: onColumn(view, column.name, foreign(column).write),
  }))

const nulled = (view: ViewDefinition): Mutant[] =>
  documented(view)
    .filter(({ nullable, nullOnlyWithout }) => !nullable || nullOnlyWithout !== undefined)
    .map(({ name }) => ({
      id: `column-nulled:${view.name}.${name}`,
      breaks: `REQ-VIEW-TYPES:${view.name}`,
      defect: `${view.name}.${name} is null.`,
      wrap: onColumn(view, name, () => null),
    }))

const itemsMistyped: Mutant[] = views.flatMap((view) =>
  view.columns
    .filter(({ items }) => items === 'string')
    .map(({ name }) => ({
      id: `items-mistyped:${view.name}`,
      breaks: `REQ-VIEW-TYPES:${view.name}`,
      defect: `${view.name}.${name} holds objects in place of texts.`,
      wrap: onColumn(view, name, (value) => (value as string[]).map((text) => ({ name: text }))),
    })),
)

const rekeyed = (id: string, defect: string, rename: (key: string) => string): Mutant => ({
  id,
  breaks: 'REQ-VIEW-KEYS',
  defect,
  wrap: onRows((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [rename(key), value]))),
})

export const viewMutants: Mutant[] = [
  rekeyed('keys-upper-case', 'Rows are keyed in upper case.', (key) => key.toUpperCase()),
  rekeyed('keys-camel-case', 'Rows are keyed in camel case.', (key) =>
    key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ),
  rekeyed('keys-prefixed', 'Rows are keyed with the name of their table.', (key) => `t.${key}`),
  ...views.map(missing),
  ...[withoutColumn, mistyped, nulled].flatMap((defects) => views.flatMap(defects)),
  ...itemsMistyped,
  {
    id: 'column-refused-by-name',
    breaks: 'REQ-VIEW-COLUMNS:v_timeseries_data',
    defect: 'The column timestamp is refused by its name, although SELECT * shows it.',
    wrap: wrapper(async (call, next) =>
      /^\s*select\b.*\btimestamp\b.*\bfrom\s+v_timeseries_data\b/is.test(call.statement ?? '')
        ? errorReply('JSON decode error: syntax error at or near "timestamp"')
        : next(call),
    ),
  },
  {
    id: 'joined-objects-as-texts',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'Objects and lists are JSON in a text in the rows of a join.',
    wrap: onRows((row, { statement }) =>
      names(statement, 'join')
        ? Object.fromEntries(
            Object.entries(row).map(([key, value]) => [
              key,
              value !== null && typeof value === 'object' ? JSON.stringify(value) : value,
            ]),
          )
        : row,
    ),
  },
  {
    id: 'delta-types-differ',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'A delta writes ids of v_bioprocesses as numbers.',
    wrap: onRows((row, { statement = '' }) =>
      /from v_bioprocesses\s+where/i.test(statement) && typeof row['id'] === 'string'
        ? { ...row, id: row['id'].length }
        : row,
    ),
  },
]
