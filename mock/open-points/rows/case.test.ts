import { expect, test } from 'vitest'
import { keyCase } from './case.ts'

const names = ['id', 'last_updated_at', 'Quoted_Name', '_a__b1_', 'n']

test.each([
  ['lower', ['id', 'last_updated_at', 'Quoted_Name', '_a__b1_', 'n']],
  ['upper', ['ID', 'LAST_UPDATED_AT', 'QUOTED_NAME', '_A__B1_', 'N']],
  ['camel', ['id', 'lastUpdatedAt', 'QuotedName', '_aB1_', 'n']],
  ['as-stored', ['ID', 'last_updated_at', 'Quoted_Name', '_a__b1_', 'n']],
] as const)('writes the names of columns in the case %s', (variant, expected) => {
  const rename = keyCase({ 'rows.case': variant })?.(() => new Map([['id', 'ID']]))
  expect(names.map((name) => (rename ? rename(name) : name))).toEqual(expected)
})
