import { expect, test } from 'vitest'
import type { ExecuteOptions } from '../statement.ts'
import { createApp } from './app.ts'
import { endpoint, post, rows } from './request.test-helper.ts'

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
