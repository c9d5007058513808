import { Button } from '../parts/button.tsx'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Params } from '../service/route.ts'
import { Outcome } from './outcome.tsx'
import type { Run } from './run.ts'

const most = 3

interface KeptProps {
  run: Run
  /** The filter, the order, the widths and the hidden columns of its table. */
  params: Params
  children: ComponentChildren
}

/** The latest result, and beside it those that stay while other statements run. */
export function Kept({ run, params, children }: KeptProps) {
  const kept = useSignal<readonly { run: Extract<Run, { state: 'rows' }>; params: Params }[]>([])
  const isFull = kept.value.length === most
  return (
    <>
      {run.state === 'rows' && (
        <Button
          class="small keep"
          text="Keep result"
          disabled={isFull}
          title={isFull ? 'Remove one to keep another.' : 'The result stays here while other statements run.'}
          act={() => (kept.value = [{ run, params }, ...kept.value])}
        />
      )}
      <div class={kept.value.length > 0 ? 'beside' : ''}>
        {children}
        {kept.value.map((one) => (
          <section class="stack" key={one} aria-label={`Kept result of ${one.run.statement}`}>
            <p class="row small">
              <code class="clipped grow" title={one.run.statement}>
                {one.run.statement}
              </code>
              <Button
                class="small"
                text="Remove"
                act={() => (kept.value = kept.value.filter((other) => other !== one))}
              />
            </p>
            <Outcome run={one.run} params={one.params} name={`Rows of ${one.run.statement}`} />
          </section>
        ))}
      </div>
    </>
  )
}
