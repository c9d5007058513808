import { Refused, serve } from '../endpoint.mjs'

const { PORT = '4032', DBHUB = 'http://127.0.0.1:4034' } = process.env

/** The errors of MariaDB and its driver for a statement that exceeds the time limit. */
const TOO_LONG = /max_statement_time exceeded|query timeout/i

const post = (token, method, params) =>
  fetch(`${DBHUB}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })

const authorize = async (token) => (await post(token, 'tools/list', {})).ok

async function execute(sql, token) {
  const response = await post(token, 'tools/call', { name: 'execute_sql', arguments: { sql } })
  const text = await response.text()
  if (!response.ok) throw new Refused(response.status, text)
  const { result, error } = JSON.parse(text.slice(text.indexOf('{')))
  if (error) throw new Refused(200, error.message)
  const answer = JSON.parse(result.content[0].text)
  if (answer.success) return answer.data.statements.at(-1).rows
  throw new Refused(TOO_LONG.test(answer.error) ? 504 : 200, answer.error)
}

serve(Number(PORT), { authorize, execute })
