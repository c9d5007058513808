import { views } from '../../schemas/views.ts'

/** The views with their columns. Choosing one writes it into the statement. */
export function Columns({ write }: { write: (text: string) => void }) {
  return (
    <ul class="columns-of-views">
      {views.map(({ name, title, columns }) => (
        <li key={name}>
          <details>
            <summary class="mono">{name}</summary>
            <button type="button" class="quiet" onClick={() => write(name)} title={title}>
              write <span class="mono">{name}</span>
            </button>
            {columns.map(({ name, description, types }) => (
              <button key={name} type="button" class="quiet" onClick={() => write(name)} title={description}>
                <span class="mono">{name}</span>
                <span class="small muted">{types.join(' or ')}</span>
              </button>
            ))}
          </details>
        </li>
      ))}
    </ul>
  )
}
