import { Button } from '../parts/button.tsx'
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useMemo } from 'preact/hooks'
import { copy } from '../parts/copy.ts'
import { rove } from '../parts/focus.ts'
import { count, textOf } from '../parts/format.ts'
import type { Answer } from '../service/answer.ts'
import { hashOf } from '../service/route.ts'
import { useRead } from '../service/use-read.ts'
import { jsonIn, Tree } from './tree.tsx'

/** What a table does with its rows beside showing them. */
export interface RowUses {
  /** Reads the whole of a row, where the table has a part of it. */
  readonly whole?: (row: readonly unknown[]) => Promise<Pick<Answer, 'columns' | 'rows'>>
  /** What can be done with a row. */
  readonly actionsOf?: (row: readonly unknown[]) => ComponentChildren
  /** What a row is called; default: its name, or its number. */
  readonly titleOf?: (row: readonly unknown[]) => string
  /** A class that says how a row is, such as `bad`. */
  readonly toneOf?: (row: readonly unknown[]) => string
  /** A box before the number of a row; Space at the cursor clicks it. */
  readonly boxOf?: (row: readonly unknown[]) => ComponentChildren
  /** The row where the cursor is at first, and whether it is open. */
  readonly start?: { readonly row: readonly unknown[] | undefined; readonly isOpen: boolean }
  /** Takes the row that is open now. */
  readonly onOpen?: (row: readonly unknown[] | undefined) => void
}

interface RowPanelProps {
  columns: readonly string[]
  row: readonly unknown[]
  /** The place of the row in the answer, from 1. */
  number: number
  uses: RowUses
  move: (step: number) => void
  close: () => void
}

/** Every column of one row, at the side of the table. Escape closes it. */
export function RowPanel(props: RowPanelProps) {
  const { number, uses, move, close } = props
  // without an answer, the panel has what the table has
  const { value: read } = useRead(
    async () => ({ row: props.row, answer: await uses.whole?.(props.row) }),
    [props.row],
  )
  const answer = read?.row === props.row ? read.answer : undefined
  const { columns, row } = answer?.rows[0] ? { columns: answer.columns, row: answer.rows[0] } : props
  const asObject = () => Object.fromEntries(columns.map((name, index) => [name, row[index]]))
  const copyRow = () => copy(JSON.stringify(asObject(), null, 2), 'the row as JSON')
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) =>
    event.key === 'Escape' ? close() : toItem(event)
  const place = `Row ${number.toLocaleString('en')}`
  const title = uses.titleOf?.(props.row) ?? textOf(row[columns.indexOf('name')])
  const run = row[columns.indexOf(columns.includes('run_start_timestamp') ? 'id' : 'bioprocess_id')]
  return (
    <dialog ref={show} class="row-panel" tabIndex={-1} aria-label={title || place} onKeyDown={onKeyDown}>
      <header class="row">
        <h2 class="grow" style={{ flexBasis: '180px' }} aria-live="polite">
          <bdi>{title || place}</bdi> {title && <span class="muted small nowrap">{place}</span>}
        </h2>
        {typeof run === 'string' && (
          <a class="button small to-plot" href={hashOf('plot', { runs: run })}>
            Plot the run
          </a>
        )}
        {button('↑', () => move(-1), 'Previous row')}
        {button('↓', () => move(1), 'Next row')}
        {button('Copy row', copyRow)}
        {button('✕', close, 'Close')}
      </header>
      {uses.actionsOf?.(props.row)}
      {columns.map((name, index) => (
        <Field key={`${number} ${index} ${columns.length}`} name={name} value={row[index] ?? null} />
      ))}
    </dialog>
  )
}

const toItem = rove('summary')
const show = (dialog: HTMLDialogElement | null) => dialog?.show()

const button = (text: string, act: () => unknown, label = text) => (
  <Button class="small" aria-label={label} text={text} act={act} />
)

/** Letters of a value that are shown: much more would hold up the page. */
const letters = 20_000

function Field({ name, value }: { name: string; value: unknown }) {
  const json = useMemo(() => jsonIn(value), [value])
  const text = useMemo(() => (json ? JSON.stringify(json, null, 2) : String(value)), [value])
  const copyAll = () => copy(typeof value === 'string' ? value : value === null ? '' : text, 'the value')
  return (
    <div>
      {button('Copy', copyAll, `Copy ${name}`)}
      <bdi class="mono">{name}</bdi>
      {json ? <Tree value={json} /> : <pre dir="auto">{text.slice(0, letters)}</pre>}
      {!json && text.length > letters && (
        <p>… {count(text.length - letters, 'more letter')}: Copy takes all.</p>
      )}
    </div>
  )
}
