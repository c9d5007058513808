import { views, type ViewDefinition } from '../../schemas/index.ts'
import { errorReply, onRows, wrapper, type Mutant } from './mutant.ts'

const names = (sql: string | undefined, word: string): boolean =>
  new RegExp(`\\b${word}\\b`, 'i').test(sql ?? '')

const missing = ({ name }: ViewDefinition): Mutant => ({
  id: `view-missing:${name}`,
  breaks: `REQ-VIEW-EXISTS:${name}`,
  fault: `There is no ${name}.`,
  wrap: wrapper((call, next) =>
    names(call.statement, name)
      ? Promise.resolve(errorReply(`relation "${name}" does not exist`))
      : next(call),
  ),
})

/** The first column that no other view has: a statement that names it, names it for this view. */
const ownColumn = ({ name, columns }: ViewDefinition): string => {
  const others = views
    .filter((view) => view.name !== name)
    .flatMap((view) => view.columns.map((column) => column.name))
  return (columns.find((column) => !others.includes(column.name)) ?? columns[1]!).name
}

const withoutColumn = (view: ViewDefinition): Mutant => {
  const column = ownColumn(view)
  return {
    id: `column-missing:${view.name}`,
    breaks: `REQ-VIEW-COLUMNS:${view.name}`,
    fault: `${view.name} has no column ${column}.`,
    wrap: (fetch) =>
      wrapper((call, next) =>
        names(call.statement, view.name) && names(call.statement, column)
          ? Promise.resolve(errorReply('Error executing statement'))
          : next(call),
      )(
        onRows((row, { statement }) => {
          if (!names(statement, view.name)) return row
          const { [column]: _, ...rest } = row
          return rest
        })(fetch),
      ),
  }
}

/** Rewrites the values of one column of one view, wherever rows of it are served. */
const onColumn = (view: ViewDefinition, column: string, rewrite: (value: unknown) => unknown) =>
  onRows((row, { statement }) =>
    names(statement, view.name) && column in row ? { ...row, [column]: rewrite(row[column]) } : row,
  )

const mistyped = (view: ViewDefinition): Mutant => {
  const { name, types } =
    view.columns.find((column) => !column.nullable && !column.types.includes('string')) ?? view.columns[1]!
  return {
    id: `column-mistyped:${view.name}`,
    breaks: `REQ-VIEW-TYPES:${view.name}`,
    fault: `${view.name}.${name} is served as ${types.includes('string') ? 'a number' : 'a text'}.`,
    wrap: onColumn(view, name, (value) => (types.includes('string') ? 7 : JSON.stringify(value))),
  }
}

const nulled = (view: ViewDefinition): Mutant => {
  const { name } = view.columns.find((column) => !column.nullable)!
  return {
    id: `column-nulled:${view.name}`,
    breaks: `REQ-VIEW-TYPES:${view.name}`,
    fault: `${view.name}.${name} is null.`,
    wrap: onColumn(view, name, () => null),
  }
}

const itemsMistyped: Mutant[] = views.flatMap((view) =>
  view.columns
    .filter(({ items }) => items === 'string')
    .map(({ name }) => ({
      id: `items-mistyped:${view.name}`,
      breaks: `REQ-VIEW-TYPES:${view.name}`,
      fault: `${view.name}.${name} holds objects in place of texts.`,
      wrap: onColumn(view, name, (value) => (value as string[]).map((text) => ({ name: text }))),
    })),
)

const rekeyed = (id: string, fault: string, rename: (key: string) => string): Mutant => ({
  id,
  breaks: 'REQ-VIEW-KEYS',
  fault,
  wrap: onRows((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [rename(key), value]))),
})

export const viewMutants: Mutant[] = [
  rekeyed('keys-upper-case', 'Rows are keyed in upper case.', (key) => key.toUpperCase()),
  rekeyed('keys-camel-case', 'Rows are keyed in camel case.', (key) =>
    key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ),
  rekeyed('keys-prefixed', 'Rows are keyed with the name of their table.', (key) => `t.${key}`),
  ...[missing, withoutColumn, mistyped, nulled].flatMap((fault) => views.map(fault)),
  ...itemsMistyped,
]
