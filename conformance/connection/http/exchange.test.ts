import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlOf, evidenceOf, type Exchange } from './exchange.ts'
import { invalidAuthorizations } from '../../samples/without-token.ts'
import { Secrets, TOKEN_VARIABLE } from '../redaction/secrets.ts'

const secrets = new Secrets()
secrets.add('s3cret', TOKEN_VARIABLE)

const exchange: Exchange = {
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:1/external/v1/statements/',
    headers: { Authorization: 'Bearer s3cret', 'Content-Type': 'application/json' },
    body: `{"statement": "SELECT 'it''s' FROM \\"v_x\\" -- $HOME \`id\`"}`,
  },
  response: { status: 200, headers: new Headers(), text: '{}', bytes: 2, memory: 0 },
  durationMs: 1.4,
}

test('a curl command contains a variable instead of the token', () => {
  const curl = curlOf(exchange, secrets)
  expect(curl).not.toContain('s3cret')
  expect(curl).toContain('"Authorization: Bearer $BIOPROCESS_SQL_TOKEN"')
})

test('a shell passes exactly the same request to curl', () => {
  const command = curlOf(exchange, secrets).replace(/^curl/, `printf '%s\\n'`)
  const output = execFileSync('sh', ['-c', command], {
    encoding: 'utf8',
    env: { ...process.env, BIOPROCESS_SQL_TOKEN: 's3cret' },
  })
  const lines = output.trimEnd().split('\n')
  expect(lines).toContain('Authorization: Bearer s3cret')
  expect(lines.at(-1)).toBe(exchange.request.body)
})

test('hashed evidence contains the hash of the body', () => {
  expect(evidenceOf(exchange, secrets, 'hashed')).toEqual({
    request: exchange.request.body,
    status: 200,
    bytes: 2,
    sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    durationMs: 1,
  })
})

test('full evidence contains a limited part of the body without secrets', () => {
  const text = `{"echo":"s3cret${'x'.repeat(100_000)}"}`
  const { body } = evidenceOf({ ...exchange, response: { ...exchange.response!, text } }, secrets, 'full')
  expect(body).toMatch(/^\{"echo":"\[token\]xxx/)
  expect(body).toHaveLength(64 * 1024)
})

test('a curl command contains a variable for a key in an additional header', () => {
  const keys = new Secrets()
  const headers = { 'X-Api-Key': 'k3y', 'X-Tenant': 'acme' }
  keys.addHeaders(headers)
  const curl = curlOf({ ...exchange, request: { ...exchange.request, headers } }, keys)
  expect(curl).toContain(`-H "X-Api-Key: $X_API_KEY" -H 'X-Tenant: acme'`)
  expect(keys.redactEcho('k3y for acme')).toBe('[X_API_KEY] for acme')
})

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkYXZpZCIsImV4cCI6NDEwMjQ0NDgwMH0.c2lnbmF0dXJlLW9mLXRoZS1rZXk'

test.each(invalidAuthorizations(JWT).flatMap(([name, value]) => (value ? [[name, value] as const] : [])))(
  'a curl command has no long part of the token, and sends the same header, for %s',
  (_, value) => {
    const known = new Secrets()
    known.add(JWT, TOKEN_VARIABLE)
    const request = { ...exchange.request, headers: { Authorization: value } }
    const command = curlOf({ ...exchange, request }, known)
    for (let at = 0; at + 8 <= JWT.length; at++) expect(command).not.toContain(JWT.slice(at, at + 8))
    const output = execFileSync('sh', ['-c', command.replace(/^curl/, `printf '%s\\n'`)], {
      encoding: 'utf8',
      env: { ...process.env, BIOPROCESS_SQL_TOKEN: JWT },
    })
    expect(output.split('\n')).toContain(`Authorization: ${value}`)
  },
)

test('a curl command shows an invalid token that shares nothing with the valid one', () => {
  const headers = { Authorization: 'Bearer conformance-suite-wrong-token' }
  expect(curlOf({ ...exchange, request: { ...exchange.request, headers } }, secrets)).toContain(
    `-H 'Authorization: Bearer conformance-suite-wrong-token'`,
  )
})
