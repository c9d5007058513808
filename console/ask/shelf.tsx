import { useState } from 'preact/hooks'
import { lazy } from '../parts/lazy.tsx'
import { Examples } from './example-list.tsx'
import { PastList } from './past-list.tsx'
import { past } from './past.ts'

/** The descriptions of all columns are larger than the rest of the tab. */
const Columns = lazy<{ write: (text: string) => void }>(async () => (await import('./columns.tsx')).Columns)

interface ShelfProps {
  /** Runs a statement. */
  choose: (statement: string) => void
  /** Writes a word into the statement. */
  write: (text: string) => void
}

/** What can be taken into the editor: examples, views with their columns, and past statements. */
export function Shelf({ choose, write }: ShelfProps) {
  const [showsColumns, showColumns] = useState(false)
  return (
    <aside class="shelf" aria-label="Statements and views">
      <Examples choose={choose} />
      <details onToggle={(event) => event.currentTarget.open && showColumns(true)}>
        <summary>Views and columns</summary>
        {showsColumns && <Columns write={write} />}
      </details>
      <details>
        <summary>Past statements {past.value.length > 0 && `(${past.value.length})`}</summary>
        <PastList choose={choose} />
      </details>
    </aside>
  )
}
