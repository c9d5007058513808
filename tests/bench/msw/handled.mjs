// Prints the times of handled statements and of a constant handler as JSON, with the built package in a new process.
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createMock } from '../../../dist/mock/msw/index.js'

const [rounds, each, many] = [8, 200, 1000]
// rounds until V8 has compiled the frequent code, including PostgreSQL
const warmUp = 10
const path = '/external/v1/statements/'
const mock = createMock({ baseUrl: 'https://mock.example' })
const send = (origin, statement) =>
  fetch(origin + path, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    body: JSON.stringify({ statement }),
  }).then((response) => response.text())
const small = (n) => `SELECT * FROM v_experiments WHERE id <> '${n}' LIMIT 10`

const constant = { body: '' }
const server = setupServer(
  http.post(`https://constant.example${path}`, () => {
    return new HttpResponse(constant.body, { headers: { 'content-type': 'application/json' } })
  }),
  ...mock.handlers,
)
server.listen({ onUnhandledRequest: 'error' })

const started = performance.now()
constant.body = await send('https://mock.example', small(0))
const firstMs = performance.now() - started

let [n, turns] = [0, 0]
const next = { constant: () => small(0), mock: () => small(++n), again: () => small(++turns % 20) }
async function time(name) {
  const origin = name === 'constant' ? 'https://constant.example' : 'https://mock.example'
  const started = performance.now()
  const spent = process.cpuUsage()
  for (let i = 0; i < each; i++) {
    const text = await send(origin, next[name]())
    if (text.length !== constant.body.length) throw new Error(`Unexpected answer: ${text}`)
  }
  const { user, system } = process.cpuUsage(spent)
  return { ms: (performance.now() - started) / each, cpuMs: (user + system) / 1000 / each }
}
const found = { constant: [], mock: [], again: [] }
for (let round = -warmUp; round < rounds; round++)
  for (const name of ['constant', 'mock', 'again']) {
    const taken = await time(name)
    if (round >= 0) found[name].push(taken)
  }

const resident = () => process.memoryUsage.rss() / 1e6
const before = resident()
for (let i = 0; i < many; i++) await send('https://mock.example', small(++n))
const grownMb = resident() - before

const resetting = performance.now()
mock.reset()
const resetMs = performance.now() - resetting

server.close()
await mock.close()
console.log(JSON.stringify({ firstMs, ...found, grownMb, resetMs }))
