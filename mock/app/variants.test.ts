import { expect, test } from 'vitest'
import { type ExecuteOptions, SqlError } from '../statement.ts'
import { createApp } from './app.ts'
import { appOf, endpoint, post, rows } from './request.test-helper.ts'
import { createSettings } from '../open-points/settings.ts'

const unknownView = new SqlError('unknown-relation', 'no v_plants', '42P01', 'v_plants')

/** The status of a request, and the additions to the schema that the engine shows. */
const additionsAt = async (url: string, variant: string, basePath = '') => {
  let asked: ExecuteOptions | undefined
  const engine = { execute: async (_: string, options: ExecuteOptions) => ((asked = options), rows('')) }
  const app = createApp({ engine: () => ({ ...engine, close: async () => {} }), basePath })
  const { status } = await app.fetch(post({ headers: { 'x-mock-variant': variant } }, url))
  return { status, extra: asked?.settings?.['schema.extra'] }
}

test('schema.extra=new-version serves additions only under the path of the next version', async () => {
  const next = endpoint.replace('/v1/', '/v2/')
  expect(await additionsAt(next, 'schema.extra=new-version')).toEqual({ status: 200, extra: 'additive' })
  expect(await additionsAt(endpoint, 'schema.extra=new-version')).toEqual({
    status: 200,
    extra: 'new-version',
  })
  expect(await additionsAt(next, 'schema.extra=additive')).toEqual({ status: 404, extra: undefined })
  expect(await additionsAt(next, 'http.success=200')).toMatchObject({ status: 404 })
  const below = next.replace('/external', '/v1/plant/external')
  expect(await additionsAt(below, 'schema.extra=new-version', '/v1/plant')).toMatchObject({ status: 200 })
})

test.each([
  ['rows.shap=array', /There is no setting "rows.shap". The settings are: .*rows.shape/],
  ['rows.shape=round', /no variant "round". Its variants: object, /],
  ['rows.shape', /Write <setting>=<variant>/],
])('refuses the header X-Mock-Variant: %s with 400', async (variant, message) => {
  const response = await appOf().fetch(post({ headers: { 'x-mock-variant': variant } }))
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    data: [],
    status: { state: 'error', message: expect.stringMatching(message) },
  })
})

test('applies the variants of a header to one request, over those of the server', async () => {
  const { fetch } = appOf(() => unknownView, { settings: createSettings({ 'http.unknown-view': '404' }) })
  expect((await fetch(post())).status).toBe(404)
  expect((await fetch(post({ headers: { 'x-mock-variant': 'http.unknown-view=200' } }))).status).toBe(200)
  expect((await fetch(post())).status).toBe(404)
})
