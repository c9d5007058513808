import { Refused, serve } from '../endpoint.mjs'

const { PORT = '4031', CLICKHOUSE = 'http://127.0.0.1:8123' } = process.env

/** The ClickHouse error for a statement that exceeds the time limit. */
const TIMEOUT_EXCEEDED = 'Code: 159'

const post = (statement, token) =>
  fetch(`${CLICKHOUSE}/?default_format=JSON`, {
    method: 'POST',
    headers: { 'X-ClickHouse-User': 'service', 'X-ClickHouse-Key': token },
    body: statement,
  })

/** ClickHouse checks the token: it is the password of the user `service`. */
const authorize = async (token) => (await post('SELECT 1', token)).ok

async function execute(statement, token) {
  const response = await post(statement, token)
  const text = await response.text()
  if (response.ok) return JSON.parse(text).data
  throw new Refused(text.startsWith(TIMEOUT_EXCEEDED) ? 504 : response.status, text.trim())
}

serve(Number(PORT), { authorize, execute })
