import { useState } from 'preact/hooks'
import { sentenceOf } from '../../schemas/reference.ts'
import { requirements } from '../../schemas/requirements.ts'
import { Search } from '../parts/fields.tsx'
import { count } from '../parts/format.ts'

const levelClass = { must: 'bad', should: 'warn', observe: 'info' } as const

/** All requirements, with a search. */
export function Requirements() {
  const [wanted, setWanted] = useState('')
  const shown = requirements.filter((one) =>
    `${one.id} ${one.level} ${sentenceOf(one)} ${one.clause.section}`
      .toLowerCase()
      .includes(wanted.toLowerCase()),
  )
  return (
    <section class="card" aria-label="Requirements">
      <header>
        <Search label="Search the requirements" value={wanted} set={setWanted} />
        <span class="muted small" role="status">
          {count(shown.length, 'requirement')}
        </span>
      </header>
      <ul class="sentences">
        {shown.map((one) => (
          <li key={one.id}>
            <p class="row">
              <code>{one.id}</code>
              <span class={`badge ${levelClass[one.level]}`}>{one.level}</span>
              <span class="muted small">{one.clause.section}</span>
            </p>
            <p>{sentenceOf(one)}</p>
            <details>
              <summary class="small">How the suite checks it</summary>
              <p class="small muted">{one.check}</p>
            </details>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="empty">No requirement matches. Search for another word.</p>}
    </section>
  )
}
