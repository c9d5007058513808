import { describe, expect, test } from 'vitest'
import { toDate } from './timestamps.ts'
import { clientOf, rejection, rows } from '../service.test-helper.ts'

const record = (archived_at: unknown) => ({ record_id: 'r', table_name: 't', archived_at })

describe('dates', () => {
  test.each([
    ['2025-12-01T08:00:00.123456+00:00', '2025-12-01T08:00:00.123Z'],
    ['2025-12-01T08:00:00.123456+00', '2025-12-01T08:00:00.123Z'],
    ['2025-12-01T10:00:00+02:00', '2025-12-01T08:00:00.000Z'],
    ['2025-12-01T08:00:00', '2025-12-01T08:00:00.000Z'],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59.500Z'],
  ])('of %s is %s', async (text, expected) => {
    const { client } = clientOf(() => rows([record(text)]))
    const [row] = await client.views.v_archived_records.select({ dates: true })
    expect(row!.archived_at.toISOString()).toBe(expected)
    expect(toDate(text)).toEqual(row!.archived_at)
    expect(row!.record_id).toBe('r')
    expect((await client.views.v_archived_records.select())[0]!.archived_at).toBe(text)
  })

  test('stay null where a timestamp is null, and reject what is none', async () => {
    const experiment = { id: 'e', external_id: 'x', last_updated_at: '2025-12-01T08:00:00Z' }
    const { client } = clientOf(() => rows([{ ...experiment, scheduled_start_timestamp: null }]))
    const [row] = await client.views.v_experiments.select({ dates: true })
    expect([row!.scheduled_start_timestamp, row!.last_updated_at]).toEqual([
      null,
      new Date('2025-12-01T08:00:00Z'),
    ])
    expect(toDate('soon')).toBeUndefined()
    for (const wrong of ['soon', 1_764_576_000_000]) {
      const { views } = clientOf(() => rows([record(wrong)])).client
      expect(await rejection(views.v_archived_records.select({ dates: true }))).toMatchObject({
        name: 'UnexpectedAnswer',
        message: expect.stringContaining('without dates'),
      })
    }
  })
})

describe('validation', () => {
  const formula = {
    id: 'f',
    name: 'n',
    formula: 'A',
    log_scale: false,
    disable_interpolation: false,
    state: 'ready',
    last_updated_at: '2025-12-01T08:00:00Z',
  }
  const read = (row: object, validate: boolean, columns?: ['id', 'log_scale']) =>
    clientOf(() => rows([formula, row]), { validate }).client.views.v_formulas.select(columns && { columns })

  test('accepts rows of the schema, further columns and omitted nulls', async () => {
    expect(await read({ ...formula, tenant: 1 }, true)).toHaveLength(2)
    expect(await read({ id: 'f', log_scale: true }, true, ['id', 'log_scale'])).toHaveLength(2)
  })

  test('rejects a row with its number, its column and the reason, but only if asked for', async () => {
    expect(await read({ ...formula, log_scale: 'no' }, false)).toHaveLength(2)
    expect(await rejection(read({ ...formula, log_scale: 'no' }, true))).toMatchObject({
      name: 'UnexpectedAnswer',
      message:
        'Row 2 does not follow the schema of v_formulas: log_scale must be boolean. Read it without validate.',
    })
    expect(await rejection(read({ id: 7, log_scale: true }, true, ['id', 'log_scale']))).toMatchObject({
      message: expect.stringContaining('id must be string'),
    })
  })

  test('also applies to changes and points', async () => {
    const { client } = clientOf(
      () => rows([{ id: 's', timestamp: '2025-12-01T08:00:00Z', value: 'high', data_item_id: null }]),
      { validate: true },
    )
    expect(await rejection(client.points().next())).toMatchObject({
      message: expect.stringContaining('value must be'),
    })
    const changes = clientOf(() => rows([{ ...formula, name: null }]), { validate: true }).client.deltas(
      'v_formulas',
    )
    expect(await rejection(changes.next())).toMatchObject({
      message: expect.stringContaining('name must be string'),
    })
  })
})
