import { exampleGroups } from './examples.ts'

/** The examples; choosing one runs it. On a narrow screen they are a list to choose from. */
export function Examples({ choose }: { choose: (statement: string) => void }) {
  return (
    <section class="examples" aria-label="Examples">
      <label class="field narrow">
        Examples
        <select
          onChange={(event) => {
            if (event.currentTarget.value) choose(event.currentTarget.value)
            event.currentTarget.value = ''
          }}
        >
          <option value="">Choose one …</option>
          {exampleGroups.map(({ title, examples }) => (
            <optgroup key={title} label={title}>
              {examples.map((example) => (
                <option key={example.title} value={example.statement}>
                  {example.title}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <div class="wide">
        {exampleGroups.map(({ title, examples }) => (
          <section key={title}>
            <h2>{title}</h2>
            <ul>
              {examples.map((example) => (
                <li key={example.title}>
                  <button
                    type="button"
                    class="quiet"
                    onClick={() => choose(example.statement)}
                    title={example.statement}
                  >
                    {example.title}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  )
}
