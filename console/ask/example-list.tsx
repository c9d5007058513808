import { exampleGroups } from './examples.ts'

/** The examples; choosing one runs it. On a narrow screen they are folded. */
export function Examples({ choose }: { choose: (statement: string) => void }) {
  return (
    <details class="examples" open={innerWidth > 860}>
      <summary>Examples</summary>
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
    </details>
  )
}
