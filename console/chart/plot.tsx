import { hashOf, route } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { Explorer } from './explorer.tsx'
import { StatementPlot } from './statement-plot.tsx'
import { Vessels } from './vessels.tsx'

const example =
  "SELECT d.timestamp, d.value, q.name FROM v_timeseries_data d LEFT JOIN v_timeseries t ON d.id = t.id LEFT JOIN v_quantities q ON t.quantity_id = q.id WHERE q.name IN ('DO', 'pH') AND t.bioprocess_id = (SELECT id FROM v_bioprocesses WHERE status = 'Completed' LIMIT 1)"

/** Runs over each other, the timetable of the vessels, or the result of any statement. */
export function Plot({ service }: { service: Service }) {
  const { params } = route.value
  const { sql, part } = params
  const shown = sql !== undefined ? 'statement' : part === 'vessels' ? 'vessels' : 'runs'
  const current = (name: typeof shown) => (name === shown ? 'true' : undefined)
  return (
    <div class="stack">
      <nav class="parts" aria-label="What is plotted">
        <a
          href={hashOf('plot', { ...params, sql: undefined, part: undefined })}
          aria-current={current('runs')}
        >
          Runs
        </a>
        <a
          href={hashOf('plot', { ...params, sql: undefined, part: 'vessels' })}
          aria-current={current('vessels')}
        >
          Vessels
        </a>
        <a href={hashOf('plot', { ...params, sql: sql ?? example })} aria-current={current('statement')}>
          A statement
        </a>
      </nav>
      {sql !== undefined ? (
        <StatementPlot service={service} statement={sql} />
      ) : shown === 'vessels' ? (
        <Vessels service={service} />
      ) : (
        <Explorer service={service} />
      )}
    </div>
  )
}
