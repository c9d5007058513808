import { createServer } from 'node:http'
import { openPGlite } from './engine-pglite.mjs'
import { openPostgres } from './engine-postgres.mjs'

const { TOKEN, DATABASE_URL, HOST = '127.0.0.1', PORT = '4020', TIME_LIMIT_MS = '30000' } = process.env
const [ddl = process.env.DDL, fixtures = process.env.FIXTURES] = process.argv.slice(2)
const timeLimitMs = Number(TIME_LIMIT_MS)
const PATH = '/external/v1/statements/'
const MAX_BODY_BYTES = 1 << 20

function stop(sentence) {
  console.error(sentence)
  process.exit(2)
}
if (!TOKEN) stop('Set TOKEN to the access token of the clients.')
if (!DATABASE_URL && !(ddl && fixtures)) {
  stop('Name the DDL file and the folder of exported fixtures, or set DATABASE_URL to a loaded database.')
}

/** `execute(statement)` resolves to the rows as JSON text. It rejects with the SQLSTATE as `code`. */
const execute = DATABASE_URL
  ? await openPostgres({ url: DATABASE_URL, timeLimitMs }).catch((error) => stop(error.message))
  : await openPGlite({ ddl, fixtures, timeLimitMs })

function send(response, httpStatus, message, { rows = '[]', state = 'error', ...headers } = {}) {
  response.writeHead(httpStatus, { 'Content-Type': 'application/json', ...headers })
  response.end(`{"data":${rows},"status":${JSON.stringify({ state, message })}}`)
}

async function answer(request, response) {
  const refuse = (httpStatus, message, headers) => send(response, httpStatus, message, headers)
  if (request.url.split('?')[0] !== PATH) return refuse(404, 'Not found')
  if (request.method !== 'POST') return refuse(405, 'Use POST', { Allow: 'POST' })
  if (request.headers.authorization !== `Bearer ${TOKEN}`) {
    return refuse(401, 'The access token is missing or not valid', { 'WWW-Authenticate': 'Bearer' })
  }

  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) return refuse(413, 'The body is larger than 1 MiB', { Connection: 'close' })
    chunks.push(chunk)
  }

  let body
  try {
    body = JSON.parse(Buffer.concat(chunks).toString())
  } catch (error) {
    return refuse(200, `JSON decode error: ${error.message}`)
  }
  if (typeof body?.statement !== 'string') return refuse(400, 'The body needs a string `statement`')

  try {
    const rows = await execute(body.statement)
    const message =
      rows === '[]' ? 'The statement ran successfully but returned no results' : 'Statement executed'
    send(response, 200, message, { rows, state: 'success' })
  } catch ({ code, message }) {
    if (code === '57014') return refuse(504, 'The statement took too long: read less data or split it')
    if (/^relation ".*" does not exist$/.test(message)) return refuse(200, message)
    if (code === '42601') return refuse(200, `JSON decode error: ${message}`)
    console.error(code, message)
    refuse(200, 'Error executing statement')
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy())
})
server.listen(Number(PORT), HOST, () => console.log(`Listening on http://${HOST}:${server.address().port}`))
process.once('SIGTERM', () => process.exit())
