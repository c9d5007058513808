import { describe, expect, test } from 'vitest'
import { clientOf, rejection, rows } from './service.test-helper.ts'

const left = { id: 't1', bioprocess_id: 'b1', quantity_id: 'q', unit: 'g/L', statistics: {} }
const leftOnly = { bioprocess_id: 'b1', quantity_id: 'q', unit: 'g/L', statistics: {} }
const shared = ['start_timestamp', 'end_timestamp', 'duration_ms', 'last_updated_at']
const lefts = Object.fromEntries(shared.map((name) => [name, `left ${name}`]))
const rights = Object.fromEntries(shared.map((name) => [name, `right ${name}`]))
const rightOnly = { name: 'run 1', external_id: 'x', parent_id: null }
const under = (prefix: string, row: object, suffix = '') =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [prefix + name + suffix, value]))
const read = async (row: object) => (await clientOf(() => rows([row])).client.timeseriesWithBioprocess())[0]

describe('the documented join', () => {
  test.each([
    ['last', { ...leftOnly, id: 'b1', ...rights, ...rightOnly }],
    ['suffix', { ...left, ...lefts, ...rightOnly, id_1: 'b1', ...under('', rights, '_1') }],
    [
      'alias-prefix',
      { ...leftOnly, t_id: 't1', b_id: 'b1', ...under('t_', lefts), ...under('b_', rights), ...rightOnly },
    ],
    [
      'array',
      {
        ...leftOnly,
        id: ['t1', 'b1'],
        ...Object.fromEntries(shared.map((name) => [name, [lefts[name], rights[name]]])),
        ...rightOnly,
      },
    ],
  ])('has the duplicate columns of the right view from a service with rows.duplicates=%s', async (_, row) => {
    const found = await read(row)
    expect(found).toMatchObject({ ...leftOnly, id: 'b1', ...rights, ...rightOnly, status: null })
    expect(Object.keys(found!).filter((name) => /_1$|^[tb]_/.test(name))).toEqual([])
  })

  test('has null in the columns of a missing bioprocess, even if the service omits nulls', async () => {
    const none = { ...leftOnly, id: null, name: null, last_updated_at: null, events: null }
    expect(await read(leftOnly)).toMatchObject(none)
    // a name of only the left view is not one of the right
    expect(await read({ ...left, ...lefts })).toMatchObject(none)
    expect(await read({ ...leftOnly, t_id: 't1', ...under('t_', lefts) })).toMatchObject(none)
  })

  test('is rejected if the service drops the duplicate columns of the right view', async () => {
    expect(await rejection(read({ ...left, ...lefts, ...rightOnly }))).toMatchObject({
      name: 'UnexpectedAnswer',
      message: expect.stringContaining('does not keep the last'),
    })
  })
})
