import { Button } from './parts/button.tsx'
import { armed, disarm, faults, upcoming } from './service/control.ts'
import type { Service } from './service/service.ts'

/** What is armed on the server, on every tab: an answer that surprises may be one that was asked for. */
export function Armed({ service }: { service: Service }) {
  const total = armed.value.length + upcoming.value.length + faults.value.length
  if (total === 0) return null
  return (
    <section class="armed warn row" aria-label="Armed variants and faults">
      <strong>Armed</strong>
      {armed.value.map((setting) => (
        <span class="badge mono" key={setting.id} title={setting.text}>
          {setting.id}={setting.value}
        </span>
      ))}
      {upcoming.value.map(({ variants, left }, index) => (
        <span class="badge mono" key={index}>
          next {left > 1 ? `${left} statements` : 'statement'}:{' '}
          {Object.entries(variants)
            .map((pair) => pair.join('='))
            .join(', ')}
        </span>
      ))}
      {faults.value.map((fault, index) => (
        <span class="badge mono" key={fault.spec + index}>
          {fault.spec} · {fault.triggered}×
        </span>
      ))}
      <Button class="small all" text="Disarm all" act={() => void disarm(service)} />
    </section>
  )
}
