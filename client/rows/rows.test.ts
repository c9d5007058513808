import { describe, expect, test } from 'vitest'
import { clientOf, json, rejection, rows } from '../service.test-helper.ts'

const sql = 'SELECT 1 AS n'
const integersAsTexts = (body: string) => JSON.parse(body.replace(/\d{16,}/, '"$&"')) as unknown

describe('rows', () => {
  test.each([
    ['objects', [{ n: 1 }], {}],
    ['wrapped objects', [{ row: { n: 1 } }], {}],
    ['arrays and columns', [[1]], { columns: ['n'] }],
    ['arrays and fields', [[1]], { fields: [{ name: 'n', type: 23 }] }],
  ])('are read from %s', async (_, data, further) => {
    expect(await clientOf(() => rows(data, further)).client.query(sql)).toEqual([{ n: 1 }])
  })

  test('are read from bare arrays with named columns', async () => {
    const { client } = clientOf(() => rows([[1, 2]]))
    expect(await client.query('SELECT a, b', { columns: ['a', 'b'] })).toEqual([{ a: 1, b: 2 }])
    expect(await rejection(client.query('SELECT a, b'))).toMatchObject({
      name: 'UnexpectedAnswer',
      message: expect.stringContaining('Name the columns'),
    })
    expect(await rejection(client.query('SELECT a, b', { columns: ['a'] }))).toMatchObject({
      name: 'UnexpectedAnswer',
    })
  })

  test.each([[[1, 2]], [[null]], [[{ n: 1 }, 'x']]])('are rejected for the data %j', async (data) => {
    expect(await rejection(clientOf(() => rows(data)).client.query(sql))).toMatchObject({
      name: 'UnexpectedAnswer',
    })
  })

  test('of a column `row` are unwrapped only if all its values are objects', async () => {
    const data = [{ row: { n: 1 } }, { row: null }]
    expect(await clientOf(() => rows(data)).client.query(sql)).toEqual(data)
  })

  test.each([
    ['a member of the envelope', rows([{ n: 1 }], { truncated: true })],
    ['a link', rows([{ n: 1 }], {}, { headers: { link: '</next>; rel="next"' } })],
  ])('that are truncated according to %s are rejected', async (_, answer) => {
    const { client } = clientOf(() => answer.clone())
    expect(await rejection(client.query(sql))).toMatchObject({ name: 'TruncatedResult', rows: [{ n: 1 }] })
    expect((await client.execute(sql)).data).toEqual([{ n: 1 }])
  })

  test('execute returns the unchanged envelope', async () => {
    const body = { data: [[1]], columns: ['n'], status: { state: 'success', message: 'ok' }, tookMs: 3 }
    expect(await clientOf(() => json(body)).client.execute(sql)).toEqual(body)
  })

  test('query keeps large integers with another parser', async () => {
    const text = '{"data":[{"n":9007199254740993}],"status":{"state":"success","message":"1"}}'
    const { client } = clientOf(() => new Response(text), { parse: integersAsTexts })
    expect(await client.query(sql)).toEqual([{ n: '9007199254740993' }])
  })
})
