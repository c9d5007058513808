import { useMemo } from 'preact/hooks'
import { copy } from '../parts/copy.ts'
import { count } from '../parts/format.ts'
import { isNumber } from '../service/wire-number.ts'

interface RowPanelProps {
  columns: readonly string[]
  row: readonly unknown[]
  /** The place of the row in the answer, from 1. */
  number: number
  move: (step: number) => void
  close: () => void
}

/** Every column of one row, at the side of the table. Escape closes it. */
export function RowPanel({ columns, row, number, move, close }: RowPanelProps) {
  const asObject = () => Object.fromEntries(columns.map((name, index) => [name, row[index]]))
  const copyRow = () => copy(JSON.stringify(asObject(), null, 2), 'the row as JSON')
  const leave = ({ key }: KeyboardEvent) => key === 'Escape' && close()
  return (
    <dialog ref={show} class="row-panel" tabIndex={-1} aria-label={`Row ${number}`} onKeyDown={leave}>
      <header class="row">
        <h2 class="grow" aria-live="polite">
          Row {number.toLocaleString('en')}
        </h2>
        {button('↑', () => move(-1), 'Previous row')}
        {button('↓', () => move(1), 'Next row')}
        {button('Copy row', copyRow)}
        {button('✕', close, 'Close')}
      </header>
      {columns.map((name, index) => (
        <Field key={`${number} ${index}`} name={name} value={row[index] ?? null} />
      ))}
    </dialog>
  )
}

const show = (dialog: HTMLDialogElement | null) => dialog?.show()

const button = (text: string, act: () => unknown, label = text) => (
  <button type="button" class="small" aria-label={label} onClick={act}>
    {text}
  </button>
)

/** Letters of a value that are shown: much more would hold up the page. */
const letters = 20_000

function Field({ name, value }: { name: string; value: unknown }) {
  const isJson = value !== null && typeof value === 'object' && !isNumber(value)
  const text = useMemo(() => (isJson ? JSON.stringify(value, null, 2) : String(value)), [value])
  const type = isNumber(value) ? 'number' : Array.isArray(value) ? 'array' : typeof value
  const copyAll = () => copy(value === null ? '' : text, 'the value')
  return (
    <div>
      {button('Copy', copyAll, `Copy ${name}`)}
      <details open={!isJson || text.length < 200}>
        <summary>
          <bdi class="mono">{name}</bdi> <span class="badge none">{value === null ? 'null' : type}</span>
        </summary>
        <pre dir="auto">{text.slice(0, letters)}</pre>
        {text.length > letters && <p>… {count(text.length - letters, 'more letter')}: Copy takes all.</p>}
      </details>
    </div>
  )
}
