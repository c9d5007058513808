/** Prints the milliseconds of the first statement in a process that shares the engine of a test run. */
import { createMock } from 'bioprocess-sql-contract/msw'
import { setupServer } from 'msw/node'

const baseUrl = 'https://data.example.org'
const mock = createMock({ baseUrl, token: 'secret' })
const server = setupServer(...mock.handlers)
server.listen()
const started = performance.now()
const response = await fetch(`${baseUrl}/external/v1/statements/`, {
  method: 'POST',
  headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
  body: JSON.stringify({ statement: 'SELECT * FROM v_experiments LIMIT 10' }),
})
const { data } = await response.json()
if (data.length === 0) throw new Error('The mock answers without rows.')
console.log(performance.now() - started)
server.close()
await mock.close()
