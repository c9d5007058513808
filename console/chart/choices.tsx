import { useState } from 'preact/hooks'
import type { Catalogue } from './catalogue.ts'

interface ChoicesProps {
  catalogue: Catalogue
  runIds: readonly string[]
  /** The quantities that these runs have. */
  available: readonly string[]
  quantities: readonly string[]
  chooseRuns: (ids: readonly string[]) => void
  chooseQuantities: (names: readonly string[]) => void
}

/** The lists of runs and quantities. */
export function Choices(props: ChoicesProps) {
  const { catalogue, runIds, available, quantities, chooseRuns, chooseQuantities } = props
  return (
    <aside class="stack" aria-label="Runs and quantities">
      <CheckList
        title="Runs"
        items={catalogue.runs.map(({ id, name, status }) => ({ id, name, note: status }))}
        chosen={runIds}
        choose={chooseRuns}
      />
      <CheckList
        title="Quantities"
        items={available.map((name) => ({ id: name, name }))}
        chosen={quantities}
        choose={chooseQuantities}
      />
    </aside>
  )
}

interface CheckListProps {
  title: string
  items: readonly { readonly id: string; readonly name: string; readonly note?: string }[]
  chosen: readonly string[]
  choose: (ids: readonly string[]) => void
}

/** Moves the focus along the boxes of a list. */
function move(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const boxes = [...event.currentTarget.querySelectorAll('input')]
  boxes[boxes.indexOf(document.activeElement as HTMLInputElement) + step]?.focus()
}

function CheckList({ title, items, chosen, choose }: CheckListProps) {
  const [wanted, setWanted] = useState('')
  const shown = items.filter(
    ({ id, name, note = '' }) =>
      chosen.includes(id) || `${name} ${note}`.toLowerCase().includes(wanted.toLowerCase()),
  )
  const [active, setActive] = useState<string>()
  /** The list is one stop of the Tab key; arrows move in it. */
  const stop = shown.find(({ id }) => id === active)?.id ?? shown[0]?.id
  const toggle = (id: string) =>
    choose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <details class="card checks" open={innerWidth > 860}>
      <summary>
        {title} <span class="muted small">{chosen.length} chosen</span>
      </summary>
      <input
        type="search"
        placeholder="Search"
        aria-label={`Search the ${title.toLowerCase()}`}
        value={wanted}
        onInput={({ currentTarget: { value } }) => setWanted(value)}
      />
      <ul aria-label={title} onKeyDown={move}>
        {shown.map(({ id, name, note }) => (
          <li key={id}>
            <label class="check" title={name}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                tabIndex={id === stop ? 0 : -1}
                onFocus={() => setActive(id)}
                onChange={() => toggle(id)}
              />
              <span class="grow">{name}</span>
              {note === 'In-progress' && <span class="badge info">in progress</span>}
            </label>
          </li>
        ))}
      </ul>
      {wanted !== '' && shown.every(({ id }) => chosen.includes(id)) && (
        <p class="small muted body" role="status">
          Nothing else matches “{wanted}”.
        </p>
      )}
    </details>
  )
}
