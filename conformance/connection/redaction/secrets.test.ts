import { describe, expect, test } from 'vitest'
import { runConformance } from '../../run/conformance.ts'
import { curlOf } from '../http/exchange.ts'
import { Secrets, TOKEN_VARIABLE } from './secrets.ts'

function knowing(token: string): Secrets {
  const secrets = new Secrets()
  secrets.add(token, TOKEN_VARIABLE)
  return secrets
}

test('a command makes a wrong token without punctuation from the variable of the valid one', () => {
  const secrets = new Secrets()
  secrets.addToken('aB-CD_ef.12')
  const command = `$(printf %s "$${TOKEN_VARIABLE}" | tr -cd a-zA-Z0-9=)`
  expect(secrets.asVariable('Bearer aBCDef12')).toBe(`Bearer ${command}`)
  expect(secrets.redactEcho('unknown token aBCDef12')).toBe('unknown token [token]')
})

const envelope = (status: number, state: string, message: string) =>
  new Response(JSON.stringify({ data: [], status: { state, message } }), {
    status,
    headers: { 'content-type': 'application/json' },
  })
const refusal = (status: number, message: string) => envelope(status, 'error', message)
const stateOf = (state: string) => envelope(200, state, 'fine')
const redirect = (location: string) => new Response('', { status: 302, headers: { location } })

/** The texts of a report on a target with the same reply to every statement. */
async function textsFor(token: string, answer: (token: string) => Response) {
  const { checks, reasons } = await runConformance({
    baseUrl: 'http://vendor.example',
    token,
    only: ['http.*', 'errors.*', 'views.*'],
    evidence: 'full',
    retries: 0,
    fetch: async (_, init) => {
      const { Authorization = '' } = (init?.headers ?? {}) as Record<string, string>
      return Authorization === `Bearer ${token}` ? answer(token) : refusal(401, 'no')
    },
  })
  const texts = checks.map(({ id, message, notes, expected, actual, curl, evidence }) => ({
    id,
    message,
    notes,
    expected,
    actual,
    curl,
    bodies: evidence.map(({ request, body }) => ({ request, body })),
  }))
  return { texts, reasons, text: JSON.stringify({ texts, reasons }) }
}

const rows = () =>
  new Response('{"data":[{"id":"b-1","data":null}],"status":{"state":"done","message":"fine"}}', {
    headers: { 'content-type': 'text/plain' },
  })

describe('a report', () => {
  test.each(['x', 'e', 'id', 'data', 'test', 'json'])(
    'a report keeps the sentences of the suite with the short token %s',
    async (token) => {
      const plain = await textsFor('0-long-token-that-nothing-contains', rows)
      const short = await textsFor(token, rows)
      const named = ({ texts }: typeof plain) =>
        JSON.stringify(texts).replaceAll(/(v_no_such_view)_\w{8}/g, '$1')
      expect(named(short)).toEqual(named(plain))
      expect(short.reasons).toEqual(plain.reasons)
      expect(plain.text).not.toContain('[token]')
    },
  )

  const long = 'abc/1234+long'
  const strange = 'q"\\(.*z'
  test.each<[string, string, (token: string) => Response, string]>([
    ['as a word', 'x', (token) => refusal(200, `bad token ${token}, sorry`), 'bad token [token], sorry'],
    ['inside a word', long, (token) => refusal(200, `pre${token}post`), 'pre[token]post'],
    ['at the end of the shown text', long, (token) => stateOf('-'.repeat(110) + token), '-[token]'],
    ['with regular expression syntax', strange, (token) => refusal(200, `a${token}b`), 'a[token]b'],
    ['in a header', long, (token) => redirect(`/in?t=${token}`), '/in?t=[token]'],
    ['percent-encoded', long, (token) => redirect(`/in?t=${encodeURIComponent(token)}`), '/in?t=[token]'],
    ['in base64', long, (token) => refusal(200, `it was ${btoa(token)}`), 'it was [token]'],
    [
      'in a content type',
      long,
      (token) => new Response(`<p>${token}</p>`, { headers: { 'content-type': `text/html; for=${token}` } }),
      'for=[token]',
    ],
  ])('a report never contains a token that the target echoes %s', async (_, token, answer, shown) => {
    const { text } = await textsFor(token, answer)
    expect(text).toContain(shown)
    const forms = [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token), btoa(token)]
    for (const form of token.length < 6 ? [] : forms) expect(text).not.toContain(form)
    expect(text).not.toContain(long.slice(0, 6))
  })
})

const request = (authorization: string) => ({
  request: {
    method: 'POST',
    url: 'http://vendor.example/',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    body: '{}',
  },
  durationMs: 0,
})

describe('a curl line', () => {
  test.each(['e', 'json', 's3cret'])(
    'a curl command has a variable in place of the whole token %s',
    (token) => {
      const curl = curlOf(request(`Bearer ${token}`), knowing(token))
      expect(curl).toContain('-H "Authorization: Bearer $BIOPROCESS_SQL_TOKEN"')
    },
  )
})
