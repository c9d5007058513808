import type { LoggedRequest } from '../service/requests.ts'
import { quote, templateOf } from '../ask/take-away.ts'
import { jsonIn } from '../grid/tree.tsx'
import { textOf } from '../parts/format.ts'

const packageName = 'bioprocess-sql-contract'

/** The statement of a request as it was sent, as far as the server kept it. */
export const statementOf = ({ text, statement, sent }: LoggedRequest): string =>
  textOf(text ?? statement ?? jsonIn(sent)?.['statement'])

/** A test with msw that sees the same: the variants of the request, and its outcome. */
export function asMswTest(request: LoggedRequest): string {
  const use = variantsOf(request)
  return `import { setupServer } from ${quote('msw/node')}
import { afterAll, beforeAll, expect, test } from ${quote('vitest')}
import { createMock } from ${quote(`${packageName}/msw`)}

const baseUrl = 'https://data.example.org'
const mock = createMock({ baseUrl, token: 'secret' })
const server = setupServer(...mock.handlers)
beforeAll(async () => {
  server.listen()
  await mock.ready()
})
afterAll(async () => {
  server.close()
  await mock.close()
})

test(${quote(`answers ${request.status} ${request.state}`)}, async () => {
${use ? `  mock.use(${use})\n` : ''}  const response = await fetch(\`\${baseUrl}/external/v1/statements/\`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
    body: JSON.stringify({ statement: ${templateOf(statementOf(request))} }),
  })
  expect(response.status).toBe(${request.status || 200})
  expect((await response.json()).status.state).toBe(${quote(request.state === 'success' ? 'success' : 'error')})
})
`
}

/** The variants as an object, or nothing. */
function variantsOf({ variants }: LoggedRequest): string | undefined {
  if (!variants) return undefined
  const pairs = variants.split(', ').map((pair) => pair.split('=') as [string, string])
  return `{ ${pairs.map(([id, variant]) => `${quote(id)}: ${quote(variant)}`).join(', ')} }`
}
