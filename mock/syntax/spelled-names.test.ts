import { expect, test } from 'vitest'
import { createSettings } from '../open-points/settings.ts'
import { readStatements } from './reading.ts'

const spelled = async (text: string) =>
  Object.fromEntries((await readStatements(text, createSettings({ 'rows.case': 'as-stored' })))[0]!.spelled)

test('reports the names of columns as the statement spells them', async () => {
  expect(await spelled('SELECT Record_Id, "archived_at", v.TABLE_NAME FROM v_archived_records V')).toEqual({
    record_id: 'Record_Id',
    table_name: 'TABLE_NAME',
  })
  expect(await spelled("SELECT 'é€' AS Note, MAX(ID) AS Id FROM v_quantities WHERE ID > 'a'")).toEqual({
    note: 'Note',
    id: 'Id',
  })
  expect(await spelled('SELECT * FROM V_QUANTITIES')).toEqual({})
})
