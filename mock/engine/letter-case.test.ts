import { expect, test } from 'vitest'
import type { RowFormat } from './engine.ts'
import { inCase } from './letter-case.ts'

const columns = ['id', 'last_updated_at', 'Quoted_Name', '_a__b1_', 'n'].map((name) => ({ name, type: 25 }))
const named = (letterCase: RowFormat['case']) =>
  inCase(columns, letterCase, () => new Map([['id', 'ID']])).map(({ name }) => name)

test.each([
  ['lower', ['id', 'last_updated_at', 'Quoted_Name', '_a__b1_', 'n']],
  ['upper', ['ID', 'LAST_UPDATED_AT', 'QUOTED_NAME', '_A__B1_', 'N']],
  ['camel', ['id', 'lastUpdatedAt', 'QuotedName', '_aB1_', 'n']],
  ['as-stored', ['ID', 'last_updated_at', 'Quoted_Name', '_a__b1_', 'n']],
] as const)('%s', (letterCase, names) => expect(named(letterCase)).toEqual(names))
