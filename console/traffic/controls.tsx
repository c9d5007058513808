import { Button } from '../parts/button.tsx'
import { useSignal } from '@preact/signals'
import { Select } from '../parts/fields.tsx'
import { addFault, injectOnce, setVariants, settings } from '../service/control.ts'
import type { Service } from '../service/service.ts'

/** Faults to try. */
const presets = [
  ['One 503', 'status:503,retry-after=1s,times=1'],
  ['Every answer 503', 'status:503'],
  ['One in five fails', 'status:503,rate=0.2'],
  ['Slow answers', 'latency:200ms-800ms'],
  ['One reset connection', 'reset,times=1'],
  ['One truncated body', 'truncate:400,times=1'],
  ['One 504', 'timeout,times=1'],
] as const

/** Variants and faults to switch, once or until they are reset. */
export function Controls({ service }: { service: Service }) {
  return (
    <div class="stack">
      <Variants service={service} />
      <Faults service={service} />
    </div>
  )
}

function Variants({ service }: { service: Service }) {
  const id = useSignal('rows.shape')
  const variant = useSignal('array')
  const setting = settings.value.find((one) => one.id === id.value)
  const chosen = setting?.variants.find(({ slug }) => slug === variant.value)
  const pair = { [id.value]: variant.value }
  return (
    <section class="card" aria-label="Variants">
      <header>
        <h2>Inject a variant</h2>
      </header>
      <div class="body stack">
        <Select
          shown="field"
          label="Setting"
          value={id.value}
          options={settings.value.map(({ id }) => id)}
          set={(value) => {
            id.value = value
            const next = settings.value.find((one) => one.id === value)
            variant.value = next?.variants.find(({ slug }) => slug !== next.value)?.slug ?? ''
          }}
        />
        <p class="small muted">{setting?.text}</p>
        <Select
          shown="field"
          label="Variant"
          value={variant.value}
          options={(setting?.variants ?? []).map(({ slug }) => [
            slug,
            slug === setting?.value ? `${slug} (now)` : slug,
          ])}
          set={(value) => (variant.value = value)}
        />
        <p class="small muted">{chosen?.text}</p>
        <div class="row">
          <Button class="primary" text="Inject" act={() => void setVariants(service, pair)} />
          <Button text="Next statement only" act={() => void injectOnce(service, pair)} />
        </div>
      </div>
    </section>
  )
}

function Faults({ service }: { service: Service }) {
  const refused = useSignal('')
  const add = (text: string) => {
    refused.value = ''
    addFault(service, text).catch(({ message }: Error) => (refused.value = message))
  }
  return (
    <section class="card" aria-label="Faults">
      <header>
        <h2>Inject a fault</h2>
      </header>
      <form
        class="body stack"
        onSubmit={(event) => {
          event.preventDefault()
          add(String(new FormData(event.currentTarget).get('fault')).trim())
          // out of the field, in which keys are text
          event.currentTarget.querySelector('button')!.focus()
        }}
      >
        <ul class="row presets">
          {presets.map(([name, text]) => (
            <li key={text}>
              <Button class="small" text={name} act={() => add(text)} title={text} />
            </li>
          ))}
        </ul>
        <label class="field">
          Another fault
          <input
            name="fault"
            class="mono"
            required
            placeholder="status:503,on=v_timeseries_data,rate=0.2"
            onInput={() => (refused.value = '')}
          />
        </label>
        {refused.value && (
          <p class="notice bad" role="alert">
            {refused.value}
          </p>
        )}
        <button class="end">Inject</button>
      </form>
    </section>
  )
}
