import { hashOf, type Params, route } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { Explorer } from './explorer.tsx'
import { Vessels } from './vessels.tsx'

/** Runs over each other, or the timetable of the vessels. */
export function Plot({ service }: { service: Service }) {
  const { part, runs, q, align, bar } = route.value.params
  // the zoom is of one part
  const link = (name: string, isCurrent: boolean, own: Params = {}) => (
    <a href={hashOf('plot', { runs, q, align, bar, ...own })} aria-current={isCurrent ? 'true' : undefined}>
      {name}
    </a>
  )
  const isVessels = part === 'vessels'
  return (
    <div class="stack">
      <nav class="parts" aria-label="What is plotted">
        {link('Runs', !isVessels)}
        {link('Vessels', isVessels, { part: 'vessels' })}
      </nav>
      {isVessels ? <Vessels service={service} /> : <Explorer service={service} />}
    </div>
  )
}
