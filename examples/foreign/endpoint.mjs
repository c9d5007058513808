import { createServer } from 'node:http'

const PATH = '/external/v1/statements/'

/** Throw this for any failure; the client receives the message unchanged. */
export class Refused extends Error {
  constructor(httpStatus, message) {
    super(message)
    this.httpStatus = httpStatus
  }
}

async function readStatement(request) {
  const text = Buffer.concat(await request.toArray()).toString()
  let body
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new Refused(200, `JSON decode error: ${error.message}`)
  }
  if (typeof body?.statement !== 'string') throw new Refused(400, 'The body needs a string `statement`')
  return body.statement
}

async function answer(request, { authorize, execute }) {
  if (request.url.split('?')[0] !== PATH) throw new Refused(404, 'Not found')
  if (request.method !== 'POST') throw new Refused(405, 'Use POST')
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token || !(await authorize(token))) throw new Refused(401, 'The access token is missing or not valid')
  return execute(await readStatement(request), token)
}

/**
 * Serves the endpoint in front of a server with another protocol. It handles the path, the token and the envelope, but not
 * the SQL.
 *
 * `authorize(token)` resolves to whether a token is valid; `execute(statement, token)` resolves to the rows.
 */
export function serve(port, server) {
  createServer(async (request, response) => {
    const [httpStatus, data, state, message] = await answer(request, server).then(
      (rows) => [200, rows, 'success', rows.length > 0 ? 'Statement executed' : 'It returned no results'],
      (error) => [error.httpStatus ?? 502, [], 'error', error.message],
    )
    const headers = { 'Content-Type': 'application/json' }
    if (httpStatus === 401) headers['WWW-Authenticate'] = 'Bearer'
    response.writeHead(httpStatus, headers)
    response.end(JSON.stringify({ data, status: { state, message } }))
  }).listen(port, '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${port}`))
}
