// A minimal SQL server: one PGlite in the thread of the server, row objects, JSON.stringify.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { PGlite } from '@electric-sql/pglite'

const [port, setupFile] = process.argv.slice(2)
const database = await PGlite.create()
await database.exec(readFileSync(setupFile, 'utf8'))

createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { rows } = await database.query(JSON.parse(body).statement)
  const reply = JSON.stringify({ data: rows, status: { state: 'success', message: '' } })
  response.writeHead(200, { 'content-type': 'application/json' }).end(reply)
}).listen(Number(port), '127.0.0.1')
