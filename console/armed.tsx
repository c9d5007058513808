import { armed, disarm, faults, keepVariants, setFaults, upcoming } from './service/control.ts'
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
          <Drop
            name={setting.id}
            act={() =>
              keepVariants(
                service,
                armed.value.filter((other) => other !== setting),
              )
            }
          />
        </span>
      ))}
      {upcoming.value.map(({ variants, left }, index) => (
        <span class="badge mono" key={index}>
          next {left > 1 ? `${left} statements` : 'statement'}:{' '}
          {Object.entries(variants)
            .map((pair) => pair.join('='))
            .join(', ')}
          &nbsp;
        </span>
      ))}
      {faults.value.map(({ spec, triggered }, index) => (
        <span class="badge mono" key={spec + index}>
          {spec} · {triggered}×
          <Drop
            name={spec}
            act={() =>
              setFaults(
                service,
                faults.value.filter((_, other) => other !== index).map(({ spec }) => spec),
              )
            }
          />
        </span>
      ))}
      <button type="button" class="small" onClick={() => void disarm(service)}>
        Disarm all
      </button>
    </section>
  )
}

const Drop = ({ name, act }: { name: string; act: () => Promise<void> }) => (
  <button type="button" aria-label={`Disarm ${name}`} onClick={() => void act()}>
    ✕
  </button>
)
