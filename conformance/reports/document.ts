import type { CheckResult } from '../../schemas/index.ts'
import { plain } from './plain.ts'

/** A report for people. Each suite builds one, and each format shows it. Its texts may come from the target. */
export interface Document {
  title: string
  /** The verdict; a document without one is a table. */
  state?: State
  /** One line below the title. */
  facts?: string
  /** A second line, for pages. */
  byline?: string
  sections: Section[]
}

/** An outcome, and its word if that is another: a verdict, or `stopped`. */
export interface State {
  outcome: CheckResult['outcome']
  word?: string
}

export const wordOf = ({ outcome, word = outcome }: State): string => word

export type Format = 'terminal' | 'markdown' | 'html'

/** The formats that are read from their beginning, and have room. */
export const PAGES: readonly Format[] = ['markdown', 'html']

export type Section = {
  id: string
  heading?: string
  /** The formats that show the section. Default: all */
  formats?: readonly Format[]
} & Content

export type Content =
  | { kind: 'findings'; entries: Finding[] }
  | { kind: 'details'; entries: Detail[] }
  /** A format shows or folds what is beyond `most` entries, or counts it. */
  | { kind: 'list'; entries: Item[]; most?: number }
  | Table
  | { kind: 'paragraph'; text: string }

export interface Table {
  kind: 'table'
  heads: string[]
  entries: Cell[][]
  caption?: string
  /** The column whose cells are heads of their rows. */
  headColumn: number
  /** Whether Markdown folds it. */
  isFolded?: boolean
}

/** One result with everything that reproduces it. */
export interface Finding {
  state: State
  /** The id of a requirement whose text the document has. */
  requirement?: string
  id: string
  details: Detail[]
  evidence?: CheckResult['evidence']
}

/** The language says that a text is shown as it is, as is one of several lines. */
export type Detail = [name: string, text: string, language?: 'text' | 'sh']

export interface Item {
  id?: string
  text: string
  /** Further text, for HTML. */
  note?: string
  /** The anchor of the entry itself. */
  anchor?: string
}

/** A cell of a table: a text or a state, of which HTML shows more. */
export type Cell = string | RichCell

export interface RichCell {
  text?: string
  state?: State
  isCode?: boolean
  note?: string
  /** An anchor in this document. */
  link?: string
  evidence?: CheckResult['evidence']
  /** Percent of the longest bar. */
  share?: number
}

export const listSection = (id: string, heading: string, entries: Item[]): Section => ({
  id,
  heading,
  kind: 'list',
  entries,
})

/** A table of these rows. The columns have the names of their heads. */
export const tableOf = <Row>(
  rows: readonly Row[],
  headColumn: number,
  columns: Readonly<Record<string, (row: Row) => Cell>>,
): Table => ({
  kind: 'table',
  heads: Object.keys(columns),
  entries: rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row))),
  headColumn,
})

export const richCell = (cell: Cell): RichCell => (typeof cell === 'string' ? { text: cell } : cell)

export const isVerbatim = ([, text, language]: Detail): boolean =>
  language !== undefined || text.includes('\n')

/** The entries of a list that a format without folding shows. */
export const listed = ({ entries, most = entries.length }: { entries: Item[]; most?: number }): Item[] =>
  entries.length > most
    ? [
        ...entries.slice(0, most),
        { text: `… and ${entries.length - most} more; the JSON report lists all (--report json=FILE)` },
      ]
    : entries

/** The document as a format shows it: printable, without the sections that are empty or for others. */
export const documentFor = (format: Format, unsafe: Document): Document =>
  plain({
    ...unsafe,
    sections: unsafe.sections.filter(
      (section) =>
        (section.formats?.includes(format) ?? true) &&
        (!('entries' in section) || section.entries.length > 0),
    ),
  })
