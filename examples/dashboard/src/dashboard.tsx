import './dashboard.css'
import { useState } from 'react'
import { Chart } from './chart'
import { Failure } from './failure'
import { useColumns, useOverlay, useRuns } from './queries'

/** Runs, a quantity of the chosen ones, aligned on their start, and every column if one is chosen. */
export function Dashboard({ quantity = 'OD600' }: { quantity?: string }) {
  const runs = useRuns()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const overlay = useOverlay(chosen, quantity)
  const columns = useColumns(chosen)
  if (runs.isPending) return <p aria-busy="true">Reading the runs …</p>
  if (runs.isError) return <Failure error={runs.error} onRetry={() => void runs.refetch()} />
  if (runs.data.length === 0) return <p>There are no runs yet.</p>
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <main>
      <h1>{runs.data.length} runs</h1>
      {overlay.isError && <Failure error={overlay.error} onRetry={() => void overlay.refetch()} />}
      {overlay.data && <Chart title={quantity} overlay={overlay.data} />}
      {overlay.data && <button onClick={() => void overlay.refetch()}>Read new points</button>}
      {columns.isError && <Failure error={columns.error} onRetry={() => void columns.refetch()} />}
      {chosen.length === 1 && columns.data && (
        <details>
          <summary>All columns</summary>
          <dl>
            {columns.data.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{JSON.stringify(value)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      <table>
        <tbody>
          {runs.data.map(({ id, name, status, qc }) => (
            <tr key={id}>
              <td>
                <label>
                  <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} /> {name}
                </label>
              </td>
              <td>{status}</td>
              <td>{qc.status === 'Fail' ? String(qc.failure_mode) : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  )
}
