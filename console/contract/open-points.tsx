import { useState } from 'preact/hooks'
import { Search, Select } from '../parts/fields.tsx'
import { count } from '../parts/format.ts'
import { setVariants, type Setting, settings } from '../service/control.ts'
import type { Service } from '../service/service.ts'

const standingClass: Readonly<Record<string, string>> = { neutral: 'good', warns: 'warn', departs: 'bad' }

/** What the contract leaves open, with the variant that this server has chosen. */
export function OpenPoints({ service }: { service: Service }) {
  const [wanted, setWanted] = useState('')
  const shown = settings.value.filter(({ id, text, value }) =>
    `${id} ${text} ${value}`.toLowerCase().includes(wanted.toLowerCase()),
  )
  return (
    <section class="card" aria-label="Open points">
      <header>
        <Search label="Search the open points" value={wanted} set={setWanted} />
        <span class="muted small" role="status">
          {count(shown.length, 'open point')} to set
        </span>
      </header>
      <ul class="sentences">
        {shown.map((setting) => (
          <OpenPoint key={setting.id} setting={setting} service={service} />
        ))}
      </ul>
    </section>
  )
}

function OpenPoint({ setting, service }: { setting: Setting; service: Service }) {
  const { id, text, value, source, variants } = setting
  const now = variants.find(({ slug }) => slug === value)
  const standing = now?.standing ?? ''
  return (
    <li>
      <p class="row">
        <code>{id}</code>
        <span class="grow">{text}</span>
        <Select
          label={`Variant of ${id}`}
          value={value}
          options={variants.map(({ slug }) => slug)}
          set={(variant) => void setVariants(service, { [id]: variant })}
        />
      </p>
      <p class="small">
        <span class={`badge ${standingClass[standing]}`}>
          {standing === 'neutral' ? 'conforms' : standing}
        </span>{' '}
        {now?.text} <span class="muted">Set by: {source}.</span>
      </p>
    </li>
  )
}
