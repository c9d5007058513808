import { beforeAll, expect, test } from 'vitest'
import { admit, loadParser } from './gate.ts'

beforeAll(loadParser)

const spelled = (text: string) => Object.fromEntries(admit(text)[0]!.spelled())

test('reports the names of columns as the statement spells them', () => {
  expect(spelled('SELECT Record_Id, "archived_at", v.TABLE_NAME FROM v_archived_records V')).toEqual({
    record_id: 'Record_Id',
    table_name: 'TABLE_NAME',
  })
  expect(spelled("SELECT 'é€' AS Note, MAX(ID) AS Id FROM v_quantities WHERE ID > 'a'")).toEqual({
    note: 'Note',
    id: 'Id',
  })
  expect(spelled('SELECT * FROM V_QUANTITIES')).toEqual({})
})
