// A hand-written mock with Hono, the framework of our server: a constant answer.
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const [port, replyFile] = process.argv.slice(2)
const reply = JSON.parse(readFileSync(replyFile, 'utf8'))

const app = new Hono().post('/external/v1/statements/', async (context) => {
  await context.req.json()
  return context.json(reply)
})
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' })
