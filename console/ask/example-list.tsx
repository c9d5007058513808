import { Button } from '../parts/button.tsx'
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
            {examples.map(({ title, statement }) => (
              <li key={title}>
                <Button class="quiet" text={title} act={() => choose(statement)} title={statement} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </details>
  )
}
