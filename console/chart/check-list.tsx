import { Button } from '../parts/button.tsx'
import { useState } from 'preact/hooks'
import { Search } from '../parts/fields.tsx'
import { rove } from '../parts/focus.ts'
import { wordsOf } from '../grid/order.ts'

interface CheckListProps {
  title: string
  items: readonly { readonly id: string; readonly name: string; readonly note?: string }[]
  chosen: readonly string[]
  choose: (ids: readonly string[]) => void
}

const move = rove('input')

/** A list to choose from, with a search. */
export function CheckList({ title, items, chosen, choose }: CheckListProps) {
  const [wanted, setWanted] = useState('')
  const words = wordsOf(wanted, [])
  // those that were chosen when the list was opened; one that is chosen later keeps its place under the pointer
  const [first] = useState(chosen)
  const sorted = items.toSorted((a, b) => Number(first.includes(b.id)) - Number(first.includes(a.id)))
  const shown = sorted.filter(({ name, note = '' }) =>
    words.every(({ isIn, isExcluded }) => isExcluded !== isIn(`${name} ${note}`)),
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
      <div class="row">
        <Search label={`Search the ${title.toLowerCase()}`} value={wanted} set={setWanted} />
        <Button
          class="quiet small"
          disabled={chosen.length === 0}
          text="Clear"
          act={({ currentTarget }) => {
            // the button is off now, and would lose the focus
            currentTarget.parentElement!.querySelector('input')!.focus()
            choose([])
          }}
        />
      </div>
      <ul aria-label={title} onKeyDown={move}>
        {shown.map(({ id, name, note }) => (
          <li key={id}>
            <label class="check">
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                tabIndex={id === stop ? 0 : -1}
                onFocus={() => setActive(id)}
                onChange={() => toggle(id)}
              />
              <span>
                {name} {note?.startsWith('In-progress') && <span class="badge info">in progress</span>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {wanted !== '' && shown.length === 0 && (
        <p class="small muted body" role="status">
          Nothing matches “{wanted}”.
        </p>
      )}
    </details>
  )
}
