import { hashOf, route } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { OpenPoints } from './open-points.tsx'
import { Requirements } from './requirements.tsx'
import { Views } from './views.tsx'

const parts = { views: 'Views', requirements: 'Requirements', open: 'Open points' } as const
type Part = keyof typeof parts

/** The contract: views and relations, requirements, and what it leaves open with the setting of this server. */
export function ContractTab({ service }: { service: Service }) {
  const { part: given, view = 'v_bioprocesses' } = route.value.params
  const part: Part = given === 'requirements' || given === 'open' ? given : 'views'
  return (
    <div class="stack">
      <nav class="parts" aria-label="Parts of the contract">
        {(Object.keys(parts) as Part[]).map((name) => (
          <a
            key={name}
            href={hashOf('contract', { part: name })}
            aria-current={name === part ? 'true' : undefined}
          >
            {parts[name]}
          </a>
        ))}
      </nav>
      {part === 'views' && <Views chosen={view} />}
      {part === 'requirements' && <Requirements />}
      {part === 'open' && <OpenPoints service={service} />}
    </div>
  )
}
