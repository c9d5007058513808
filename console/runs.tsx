import { sqlLiteral } from '../base/text/sql-literal.ts'
import { Rows } from './grid/rows.tsx'
import { Problem } from './parts/give-token.tsx'
import { change, route } from './service/route.ts'
import type { Service } from './service/service.ts'
import { useRead } from './service/use-read.ts'

/** The name of a run is its code and then its process. */
const statement = `SELECT split_part(b.name, ' ', 1) AS run, p.product, substr(b.name, strpos(b.name, ' ') + 1) AS process,
  b.status, to_char(b.run_start_timestamp AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS start, b.id
FROM v_bioprocesses b LEFT JOIN (
  SELECT d.bioprocess_id AS run_id, d.value AS product
  FROM v_bioprocess_quantity_data d LEFT JOIN v_quantities q ON d.quantity_id = q.id
  WHERE q.name = 'Product') p ON p.run_id = b.id
ORDER BY b.run_start_timestamp DESC NULLS LAST, b.start_timestamp DESC`

/** The runs, those first that started last. A row opens with its events, and leads to its plot. */
export function Runs({ service }: { service: Service }) {
  const { value: answer, problem } = useRead(
    (signal) => service.ask(statement, { signal, isOfPage: true }),
    [service],
  )
  if (problem) return <Problem what="The runs" error={problem} />
  if (!answer) return <p class="empty">Reading the runs …</p>
  const { plant, now } = service.facts
  const asOf = now === undefined && plant ? ` as of ${plant.asOf.slice(0, 16).replace('T', ' ')}` : ''
  const idAt = answer.columns.indexOf('id')
  return (
    <Rows
      name="Runs"
      answer={answer}
      about={
        plant ? `simulated plant of seed ${plant.seed} at scale ${plant.scale}${asOf}` : 'rows of your own'
      }
      params={route.value.params}
      change={change}
      search="Search the runs"
      noun="run"
      whole={(row) =>
        service.ask(`SELECT * FROM v_bioprocesses WHERE id = ${sqlLiteral(String(row[idAt]))}`, {
          isOfPage: true,
        })
      }
    />
  )
}
