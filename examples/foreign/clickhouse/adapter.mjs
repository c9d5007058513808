import { Refused, serve } from '../endpoint.mjs'

const { PORT = '4031', CLICKHOUSE = 'http://127.0.0.1:8123' } = process.env

/** ClickHouse's own number for a statement that ran too long. */
const TIMEOUT_EXCEEDED = 'Code: 159'

const post = (statement, token) =>
  fetch(`${CLICKHOUSE}/?default_format=JSON`, {
    method: 'POST',
    headers: { 'X-ClickHouse-User': 'service', 'X-ClickHouse-Key': token },
    body: statement,
  })

/** The token is the password of the user `service`: ClickHouse judges it. */
const authorize = async (token) => (await post('SELECT 1', token)).ok

async function execute(statement, token) {
  const response = await post(statement, token)
  const text = await response.text()
  if (response.ok) return JSON.parse(text).data
  throw new Refused(text.startsWith(TIMEOUT_EXCEEDED) ? 504 : response.status, text.trim())
}

serve(Number(PORT), { authorize, execute })
