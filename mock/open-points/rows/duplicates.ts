import { implement } from '../implement.ts'
import { SqlError } from '../../statement.ts'

/** One member of a row object: its key, and the columns whose values it takes; several make an array. */
export interface Member {
  readonly name: string
  readonly columns: readonly number[]
}

/** The columns of a result. */
export interface ColumnNames {
  /** The name of each column. */
  readonly names: readonly string[]
  /** The columns of each name. */
  readonly byName: ReadonlyMap<string, readonly number[]>
  /** The alias of the view that each column comes from. */
  readonly sources: readonly (string | undefined)[]
}

/** One member per name, with a choice among the columns of that name. */
const perName =
  (choose: (columns: readonly number[]) => readonly number[]) =>
  ({ byName }: ColumnNames): Member[] =>
    [...byName].map(([name, columns]) => ({ name, columns: choose(columns) }))

/** One member per column. */
const perColumn =
  (rename: (name: string, column: number, all: ColumnNames) => string) =>
  (all: ColumnNames): Member[] =>
    all.names.map((name, column) => ({ name: rename(name, column, all), columns: [column] }))

/** The members of a row in which a name repeats. */
export const duplicateNames = implement<'rows.duplicates', (columns: ColumnNames) => readonly Member[]>(
  'rows.duplicates',
  {
    // in the order of the columns that win
    last: ({ names, byName }) =>
      names.flatMap((name, column) =>
        byName.get(name)!.at(-1) === column ? [{ name, columns: [column] }] : [],
      ),
    first: perName((columns) => columns.slice(0, 1)),
    suffix: perColumn((name, column, { byName }) => {
      const nth = byName.get(name)!.indexOf(column)
      return nth === 0 ? name : `${name}_${nth}`
    }),
    'alias-prefix': perColumn((name, column, { byName, sources }) => {
      const source = sources[column]
      return byName.get(name)!.length > 1 && source ? `${source}_${name}` : name
    }),
    array: perName((columns) => columns),
    'repeated-keys': perColumn((name) => name),
    error: () => {
      throw new SqlError('other', 'A column name occurs twice in the result.', '42701')
    },
  },
)
