import { expect, test } from 'vitest'
import { readReply } from '../connection/http/reply.ts'
import { duplicateNames } from './duplicate-names.ts'

const read = (row: string) =>
  duplicateNames(
    readReply({
      request: { method: 'POST', url: 'http://t/', headers: {}, body: '' },
      response: { status: 200, headers: new Headers(), text: `{"data":[${row}]}`, bytes: 0, memory: 0 },
      durationMs: 0,
    }),
  )

test.each([
  ['last', '{"id":"b","bioprocess_id":"b","last_updated_at":"2"}'],
  ['last', '{"id":null,"bioprocess_id":"b","last_updated_at":null}'],
  ['last', '{"id":"b","bioprocessId":"b","lastUpdatedAt":"2"}'],
  ['first', '{"ID":"t","BIOPROCESS_ID":"b","LAST_UPDATED_AT":"1"}'],
  ['first', '{"id":"t","bioprocess_id":"b","last_updated_at":"1"}'],
  ['suffix', '{"id":"t","bioprocess_id":"b","last_updated_at":"1","id_1":"b","last_updated_at_1":"2"}'],
  ['suffix', '{"id":"t","bioprocess_id":"b","last_updated_at":"1","id:1":"b","last_updated_at:1":"2"}'],
  ['alias-prefix', '{"t_id":"t","bioprocess_id":"b","b_id":"b"}'],
  ['alias-prefix', '{"t.id":"t","bioprocess_id":"b","b.id":"b"}'],
  ['repeated-keys', '{"id":"t","bioprocess_id":"b","last_updated_at":"1","id":"b","last_updated_at":"2"}'],
  ['repeated-keys', '{"id":"t","bioprocessId":"b","lastUpdatedAt":"1","id":"b","lastUpdatedAt":"2"}'],
  ['alias-prefix', '{"tId":"t","bioprocessId":"b","bId":"b"}'],
  ['suffix', '{"ID":"t","BIOPROCESS_ID":"b","ID_1":"b"}'],
  ['last', '{"id":"b","bioprocess-id":"b","last-updated-at":"2"}'],
  ['array', '{"id":["t","b"],"bioprocess_id":"b","last_updated_at":["1","2"]}'],
  ['last', '{"row":{"id":"b","bioprocess_id":"b","last_updated_at":"2"}}'],
  ['first', '{"row":{"id":"t","bioprocess_id":"b","last_updated_at":"1"}}'],
  [undefined, '{"t.id":"t","t.bioprocess_id":"b","b.id":"b"}'],
  [undefined, '["t","b","1","b","2"]'],
  [undefined, ''],
])('duplicateNames recognises %s in the row %s', (variant, row) => expect(read(row)).toBe(variant))
