import './runs-table.css'

const latest = `
  SELECT external_id, name, status, start_timestamp, duration_ms FROM v_bioprocesses
  WHERE status IN ('In-progress', 'Completed') ORDER BY start_timestamp DESC LIMIT 8`

/** The component of the stories: a table that loads the latest runs. */
export function runsTable(client) {
  const section = element('section')
  const state = element('p', 'Loading …')
  state.role = 'status'
  section.append(state)
  client.query(latest).then(
    (runs) => {
      state.textContent = `${runs.length} runs`
      section.append(tableOf(runs))
    },
    (error) => {
      state.role = 'alert'
      state.textContent = `Cannot show the runs. ${error.message}`
    },
  )
  return section
}

function tableOf(runs) {
  const table = element('table')
  table.createTHead().append(rowOf(['Run', 'Name', 'Status', 'Start', 'Hours'], 'th'))
  const cells = runs.map(({ external_id, name, status, start_timestamp, duration_ms }) => [
    external_id,
    name,
    status,
    start_timestamp.slice(0, 10),
    Math.round(duration_ms / 3_600_000),
  ])
  table.createTBody().append(...cells.map((texts) => rowOf(texts, 'td')))
  return table
}

function rowOf(texts, tag) {
  const row = element('tr')
  row.append(...texts.map((text) => element(tag, text)))
  return row
}

const element = (tag, text = '') => Object.assign(document.createElement(tag), { textContent: String(text) })
