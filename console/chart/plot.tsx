import { hashOf, type Params, route } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { Explorer } from './explorer.tsx'
import { StatementPlot } from './statement-plot.tsx'
import { Vessels } from './vessels.tsx'

const example =
  "SELECT d.timestamp, d.value, q.name FROM v_timeseries_data d LEFT JOIN v_timeseries t ON d.id = t.id LEFT JOIN v_quantities q ON t.quantity_id = q.id WHERE q.name IN ('DO', 'pH') AND t.bioprocess_id = (SELECT id FROM v_bioprocesses WHERE status = 'Completed' LIMIT 1)"

/** Runs over each other, the timetable of the vessels, or the result of any statement. */
export function Plot({ service }: { service: Service }) {
  const { sql, part, runs, q, align, bar } = route.value.params
  // the zoom and the axes are of one part
  const link = (name: string, isCurrent: boolean, own: Params = {}) => (
    <a href={hashOf('plot', { runs, q, align, bar, ...own })} aria-current={isCurrent ? 'true' : undefined}>
      {name}
    </a>
  )
  const isVessels = sql === undefined && part === 'vessels'
  return (
    <div class="stack">
      <nav class="parts" aria-label="What is plotted">
        {link('Runs', sql === undefined && !isVessels)}
        {link('Vessels', isVessels, { part: 'vessels' })}
        {link('A statement', sql !== undefined, { sql: sql ?? example })}
      </nav>
      {sql !== undefined ? (
        <StatementPlot service={service} statement={sql} />
      ) : isVessels ? (
        <Vessels service={service} />
      ) : (
        <Explorer service={service} />
      )}
    </div>
  )
}
