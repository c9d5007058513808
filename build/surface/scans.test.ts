import { expect, test } from 'vitest'
import { headerLines } from './headers.ts'
import { parameterLines } from './parameters.ts'
import { writtenLines } from './written.ts'
import { linesOf } from './small-package.test-helper.ts'

const declarations = `
  declare class Headers { get(name: string): string | null; has(name: string): boolean }
  declare class URLSearchParams { get(name: string): string | null }
  declare const given: Headers, c: { req: { header(name: string): string } }, query: URLSearchParams
  declare function answer(status: number, headers: Record<string, string>): void`

const scanned = (text: string, folder = 'mock/app') =>
  linesOf({ [`${folder}/a.ts`]: `${declarations}\n${text}\nexport {}` }, (compiler) => [
    ...new Set([...headerLines(compiler), ...parameterLines(compiler), ...writtenLines(compiler)]),
  ])

test.each([
  [
    "given.get('x-mock-session')",
    ['header > server > x-mock-session', 'header > server > x-mock-session: read'],
  ],
  ["const headers = given; headers.has('host')", ['header > server > host: read']],
  ["const name = 'expect'; const headers = given; headers.get(name)", ['header > server > expect: read']],
  ["c.req.header('Accept')", ['header > server > accept: read']],
  ["answer(405, { allow: 'POST' })", ['header > server > allow: POST', 'header > server > allow: set']],
  [
    "answer(401, { ...{ 'www-authenticate': 'Bearer' } })",
    [
      'header > server > www-authenticate',
      'header > server > www-authenticate: Bearer',
      'header > server > www-authenticate: set',
    ],
  ],
  ['const headers = { vary: String(1) }', ['header > server > vary: set']],
  [
    "const of: Record<string, string> = { link: '<2>' }",
    ['header > server > link: <2>', 'header > server > link: set'],
  ],
  ["JSON.stringify({ pid: 1, ...{ token: '' } })", ['json > server > pid', 'json > server > token']],
  ["query.get('page')", ['parameter > page']],
  [
    "declare function numberIn(query: URLSearchParams, name: string): number; numberIn(query, 'count')",
    ['parameter > count'],
  ],
])('finds what is read or written in: %s', async (text, lines) => {
  expect(await scanned(text)).toEqual(lines)
})

test.each([
  "const host = { host: 1, from: 'x' }",
  "new Map([['per-row', 1]]).get('per-row')",
  'given.toString()',
])('finds nothing in: %s', async (text) => {
  expect(await scanned(text)).toEqual([])
})

test('says whose headers they are, and leaves out those of other folders', async () => {
  const lines = ['header > client > retry-after', 'header > client > retry-after: read']
  expect(await scanned("given.get('retry-after')", 'client')).toEqual(lines)
  expect(await scanned("given.get('retry-after')", 'fixtures')).toEqual([])
})
