import { implement } from '../implement.ts'

/** Renames a column. `spelled` has the names that the statement does not quote as it spells them, by their lower case. */
type Renaming = (spelled: () => ReadonlyMap<string, string>) => (name: string) => string

/** The keys of a row; undefined: as the database reports them, in lower case. */
export const keyCase = implement<'rows.case', Renaming | undefined>('rows.case', {
  lower: undefined,
  'as-stored': (spelled) => {
    const spellings = spelled()
    return (name) => spellings.get(name) ?? name
  },
  upper: () => (name) => name.toUpperCase(),
  camel: () => (name) => name.replace(/(?<=[^_])_+([^_])/g, (_, letter: string) => letter.toUpperCase()),
})
