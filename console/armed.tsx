import { Button } from './parts/button.tsx'
import { armed, faults, remove, upcoming } from './service/control.ts'
import type { Service } from './service/service.ts'

/** What is injected into the server, on every tab: an answer that surprises may be one that was asked for. */
export function Armed({ service }: { service: Service }) {
  const all = [
    ...armed.value.map(({ id, value }) => ({ name: `${id}=${value}`, path: `variants?setting=${id}` })),
    ...upcoming.value.map(({ variants, left }) => ({
      name: `next ${left > 1 ? `${left} statements` : 'statement'}: ${pairsOf(variants)}`,
      path: `variants?setting=${Object.keys(variants)[0]}`,
    })),
    ...faults.value.map(({ spec, triggered }) => ({
      name: `${spec} · ${triggered}×`,
      path: `faults?fault=${encodeURIComponent(spec)}`,
    })),
  ]
  if (all.length === 0) return null
  const take = (...paths: readonly string[]) => {
    // the button that has the focus goes away
    document.querySelector<HTMLElement>(all.length > paths.length ? '.armed .all' : 'main')?.focus()
    void remove(service, ...paths)
  }
  return (
    <section class="armed warn row" aria-label="Injected variants and faults">
      <strong>Injected</strong>
      {all.map(({ name, path }, index) => (
        <span class="badge mono" key={name + index}>
          {name}
          <Button class="quiet small" aria-label={`Remove ${name}`} text="✕" act={() => take(path)} />
        </span>
      ))}
      <Button class="small all" text="Remove all" act={() => take('variants', 'faults')} />
    </section>
  )
}

const pairsOf = (variants: Readonly<Record<string, string>>) =>
  Object.entries(variants)
    .map((pair) => pair.join('='))
    .join(', ')
