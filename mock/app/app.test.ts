import { expect, test } from 'vitest'
import { appOf, post } from './request.test-helper.ts'

const get = (path: string) => new Request(`http://localhost${path}`)

test('serves the OpenAPI document and the schemas', async () => {
  const { fetch } = appOf()
  expect(await (await fetch(get('/openapi.json'))).json()).toHaveProperty('openapi')
  expect(await (await fetch(get('/schemas/views/v_formulas.schema.json'))).json()).toHaveProperty('$schema')
  for (const path of ['/schemas/constructor', '/schemas/views/v_none.schema.json', '/'])
    expect((await fetch(get(path))).status).toBe(404)
})

test('/_mock/* stays at the root if the endpoint has a base path', async () => {
  const { fetch } = appOf(undefined, { basePath: '/plant-1' })
  expect((await fetch(get('/_mock/ready'))).status).toBe(200)
  expect((await fetch(post({}, 'http://localhost/plant-1/external/v1/statements/'))).status).toBe(200)
  expect((await fetch(post())).status).toBe(404)
})
