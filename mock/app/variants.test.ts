import { describe, expect, test } from 'vitest'
import { type ExecuteOptions, SqlError, StatementTimeout } from '../engine/engine.ts'
import { createApp } from './app.ts'
import { createSettings } from './settings.ts'
import { appOf, endpoint, pages, post, rows } from './request.test-helper.ts'

const error = (message: unknown) => ({ data: [], status: { state: 'error', message } })
const syntaxError = new SqlError('syntax', 'syntax error at or near "SELEC"', '42601')
const unknownView = new SqlError('unknown-relation', 'no v_plants', '42P01', 'v_plants')
const emptyText = new SqlError('empty', 'The text is empty. Send exactly one statement.', '42601')
const brokenColumn = new SqlError('other', 'column "x" does not exist', '42703')

const answer = async (
  variant: string,
  outcome: Parameters<typeof appOf>[0],
  request: Parameters<typeof post> = [],
) => {
  const [init, url] = request
  const response = await appOf(outcome).fetch(post({ ...init, headers: { 'x-mock-variant': variant } }, url))
  const { status } = response
  return { status, location: response.headers.get('location'), text: await response.text() }
}
const slashless = [{}, endpoint.slice(0, -1)] as const

test.each([
  ['http.success=201', () => pages('{"n":1}'), 201],
  ['http.unknown-view=404', () => unknownView, 404],
  ['http.exception=500', () => brokenColumn, 500],
  ['http.exception=200', () => brokenColumn, 200],
])('%s', async (variant, outcome, status) => {
  expect(await answer(variant, outcome)).toMatchObject({ status })
})

test('of the path without its slash', async () => {
  expect(await answer('http.no-slash=200', undefined, [...slashless])).toMatchObject({ status: 200 })
  expect(await answer('http.no-slash=307', undefined, [...slashless])).toMatchObject({
    status: 307,
    location: 'statements/',
  })
  expect(await answer('http.no-slash=404', undefined, [...slashless])).toMatchObject({
    status: 404,
    location: null,
  })
})

test('of a body that can not be read', async () => {
  expect(await answer('http.json-error=400', undefined, [{ body: '{' }])).toMatchObject({ status: 400 })
  expect(await answer('http.bad-request=422', undefined, [{ body: '{}' }])).toMatchObject({ status: 422 })
  expect(await answer('http.bad-request=200-envelope', undefined, [{ body: '{}' }])).toMatchObject({
    status: 200,
  })
})

describe('of an empty statement', () => {
  test.each([
    ['error', 200, 'Error executing statement'],
    ['400', 400, 'The text is empty. Send exactly one statement.'],
    ['422', 422, 'The text is empty. Send exactly one statement.'],
  ])('sql.empty=%s', async (slug, status, message) => {
    const got = await answer(`sql.empty=${slug}`, () => emptyText)
    expect(got.status).toBe(status)
    expect(JSON.parse(got.text)).toEqual(error(message))
  })
})

/** What the engine is told of the data. */
const dataOf = async (variant: string, url: string, basePath = '') => {
  let asked: ExecuteOptions | undefined
  const engine = { execute: async (_: string, options: ExecuteOptions) => ((asked = options), rows('')) }
  const app = createApp({ engine: () => ({ ...engine, close: async () => {} }), basePath })
  const { status } = await app.fetch(post({ headers: { 'x-mock-variant': variant } }, url))
  return { status, data: asked?.data }
}

describe('of what is new', () => {
  const next = endpoint.replace('/v1/', '/v2/')
  test('under a version of its own, where a server adds it so', async () => {
    expect(await dataOf('schema.extra=new-version', next)).toEqual({
      status: 200,
      data: { 'schema.extra': 'additive' },
    })
    expect(await dataOf('schema.extra=new-version', endpoint)).toEqual({ status: 200, data: undefined })
    expect(await dataOf('schema.extra=additive', next)).toEqual({ status: 404, data: undefined })
    expect(await dataOf('http.success=200', next)).toMatchObject({ status: 404 })
    const below = next.replace('/external', '/v1/plant/external')
    expect(await dataOf('schema.extra=new-version', below, '/v1/plant')).toMatchObject({ status: 200 })
  })
})

test.each([
  ['decode-error', 'JSON decode error'],
  ['database-text', 'syntax error at or near \\"SELEC\\"'],
  ['generic', 'Error executing statement'],
])('errors.sql-syntax=%s', async (slug, message) => {
  const { text } = await answer(`errors.sql-syntax=${slug}`, () => syntaxError)
  expect(text).toContain(`"message":"${message}"`)
})

test.each([
  ['html', /^<html>/],
  ['message', /^{"message":"Endpoint request timed out"}$/],
  ['empty', /^$/],
])('timeout.body=%s', async (slug, text) => {
  expect(await answer(`timeout.body=${slug}`, () => new StatementTimeout(1))).toEqual({
    status: 504,
    location: null,
    text: expect.stringMatching(text),
  })
})

test.each([
  ['rows.shap=array', /There is no setting "rows.shap". The settings are: .*rows.shape/],
  ['rows.shape=round', /no variant "round". Its variants: object, /],
  ['rows.shape', /Write <setting>=<variant>/],
])('%s is refused with 400', async (variant, message) => {
  const { status, text } = await answer(variant, undefined)
  expect(status).toBe(400)
  expect(JSON.parse(text)).toEqual(error(expect.stringMatching(message)))
})

test('of a header hold for one request, over those of the server', async () => {
  const { fetch } = appOf(() => unknownView, { settings: createSettings({ 'http.unknown-view': '404' }) })
  expect((await fetch(post())).status).toBe(404)
  expect((await fetch(post({ headers: { 'x-mock-variant': 'http.unknown-view=200' } }))).status).toBe(200)
  expect((await fetch(post())).status).toBe(404)
})
