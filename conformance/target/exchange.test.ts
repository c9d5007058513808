import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlOf, evidenceOf, type Exchange } from './exchange.ts'

const exchange: Exchange = {
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:1/external/v1/statements/',
    headers: { Authorization: 'Bearer s3cret', 'Content-Type': 'application/json' },
    body: `{"statement": "SELECT 'it''s' FROM \\"v_x\\" -- $HOME \`id\`"}`,
  },
  response: { status: 200, headers: new Headers(), text: '{}', bytes: 2 },
  durationMs: 1.4,
}

test('a curl line names the token as a variable and never holds it', () => {
  const curl = curlOf(exchange, ['s3cret'])
  expect(curl).not.toContain('s3cret')
  expect(curl).toContain('"Authorization: Bearer $BIOPROCESS_SQL_TOKEN"')
})

test('a shell hands the very same request to curl', () => {
  const command = curlOf(exchange, ['s3cret']).replace(/^curl/, `printf '%s\\n'`)
  const output = execFileSync('sh', ['-c', command], {
    encoding: 'utf8',
    env: { ...process.env, BIOPROCESS_SQL_TOKEN: 's3cret' },
  })
  const lines = output.trimEnd().split('\n')
  expect(lines).toContain('Authorization: Bearer s3cret')
  expect(lines.at(-1)).toBe(exchange.request.body)
})

test('evidence gives a body by its hash', () => {
  expect(evidenceOf(exchange)).toEqual({
    request: exchange.request.body,
    status: 200,
    bytes: 2,
    sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    durationMs: 1,
  })
})
