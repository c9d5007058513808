import { query } from './service.js'

// an application starts the mock only in development: if (import.meta.env.DEV)
const { startMock } = await import('./mock.js')
await startMock()

const state = document.querySelector('#state')
try {
  const runs = await query(`
    SELECT id, external_id, name, status, start_timestamp, duration_ms FROM v_bioprocesses
    WHERE status IN ('In-progress', 'Completed') ORDER BY start_timestamp DESC LIMIT 8`)
  document.querySelector('#runs').replaceChildren(...runs.map(rowOf))
  await showTrend(runs[0])
  state.textContent = `${runs.length} runs.`
} catch (error) {
  state.textContent = `Cannot show the runs: ${error.message}`
}
// for statements in the console of the browser
window.query = query

function rowOf({ external_id, name, status, start_timestamp, duration_ms }) {
  const row = document.createElement('tr')
  const cells = [external_id, name, status, start_timestamp.slice(0, 10), Math.round(duration_ms / 3_600_000)]
  row.append(
    ...cells.map((text) => Object.assign(document.createElement('td'), { textContent: String(text) })),
  )
  row.lastChild.className = 'number'
  return row
}

async function showTrend({ id, name }) {
  const points = await query(`
    SELECT d.timestamp, d.value, q.name AS quantity, s.unit FROM v_timeseries s
    JOIN v_quantities q ON q.id = s.quantity_id
    JOIN v_timeseries_data d ON d.id = s.id
    WHERE s.bioprocess_id = '${id}' AND d.value IS NOT NULL AND s.id = (
      SELECT id FROM v_timeseries WHERE bioprocess_id = '${id}'
      ORDER BY (statistics->>'count')::int DESC, id LIMIT 1)
    ORDER BY d.timestamp`)
  const values = points.map(({ value }) => value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const x = (index) => (600 * index) / Math.max(points.length - 1, 1)
  const y = (value) => 150 - (140 * (value - least)) / (most - least || 1)
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline')
  line.setAttribute('points', values.map((value, index) => `${x(index)},${y(value)}`).join(' '))
  document.querySelector('#trend').replaceChildren(line)
  const [{ quantity, unit }] = points
  document.querySelector('#caption').textContent =
    `${name}: ${quantity}, ${unit}, ${points.length} points from ${least.toPrecision(3)} to ${most.toPrecision(3)}`
}
