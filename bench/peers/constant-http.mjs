// The lower bound for a Node server: parses the JSON body and returns constant bytes.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, replyFile] = process.argv.slice(2)
const reply = readFileSync(replyFile)
const headers = { 'content-type': 'application/json', 'content-length': reply.length }

createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  JSON.parse(body)
  response.writeHead(200, headers).end(reply)
}).listen(Number(port), '127.0.0.1')
