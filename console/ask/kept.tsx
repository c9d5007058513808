import { Button } from '../parts/button.tsx'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Outcome } from './outcome.tsx'
import type { Run } from './run.ts'

const most = 3

/** The latest result, and beside it those that stay while other statements run. */
export function Kept({
  statement,
  run,
  children,
}: {
  statement: string
  run: Run
  children: ComponentChildren
}) {
  const kept = useSignal<readonly { statement: string; run: Run }[]>([])
  const isFull = kept.value.length === most
  return (
    <>
      {run.state === 'rows' && (
        <Button
          class="small keep"
          text="Keep result"
          disabled={isFull}
          title={isFull ? 'Remove one to keep another.' : 'The result stays here while other statements run.'}
          act={() => (kept.value = [{ statement, run }, ...kept.value])}
        />
      )}
      <div class={kept.value.length > 0 ? 'beside' : ''}>
        {children}
        {kept.value.map((one) => (
          <section class="stack" key={one} aria-label={`Kept result of ${one.statement}`}>
            <p class="row small">
              <code class="clipped grow" title={one.statement}>
                {one.statement}
              </code>
              <Button
                class="small"
                text="Remove"
                act={() => (kept.value = kept.value.filter((other) => other !== one))}
              />
            </p>
            <Outcome run={one.run} name={`Rows of ${one.statement}`} />
          </section>
        ))}
      </div>
    </>
  )
}
