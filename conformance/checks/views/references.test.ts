import { expect, test } from 'vitest'
import { handmade, manyRows, rowsReply } from '../../connection/handmade.test-helper.ts'
import { referenceChecks } from './references.ts'

const at = '2025-01-01T00:00:00Z'
const experiments = [{ id: 'e-1', external_id: 'first', last_updated_at: at }]
const runs = ['e-1', 'e-2', 'e-2'].map((parent, n) => ({
  id: `r-${n}`,
  parent_id: parent,
  last_updated_at: at,
}))
const joined = runs.map(({ parent_id }) => ({ parent_id, id: parent_id }))
const parents = referenceChecks.find(({ id }) => id === 'references.parents')!

test('references.parents fails for a parent that is no row of v_experiments, although a join finds a partner', async () => {
  const target = handmade({
    rows: { ...manyRows, v_bioprocesses: runs, v_experiments: experiments },
    answer: ({ sql }) => (sql.includes('JOIN') ? rowsReply(joined) : undefined),
  })
  expect(await parents.run(target)).toMatchObject({
    outcome: 'fail',
    message: expect.stringMatching(
      /^1 of the values of v_bioprocesses\.parent_id name no row of v_experiments: /,
    ),
  })
})

test('references.parents passes if each parent is a row of v_experiments', async () => {
  const target = handmade({
    rows: {
      ...manyRows,
      v_bioprocesses: runs,
      v_experiments: [...experiments, { id: 'e-2', external_id: 'second', last_updated_at: at }],
    },
  })
  expect(await parents.run(target)).toMatchObject({
    outcome: 'pass',
    message: '3 references: each has its row in v_experiments',
  })
})

test('references.parents looks for partners in a join if the views are not known to be whole', async () => {
  const target = handmade({
    rows: { v_bioprocesses: runs, v_experiments: experiments },
    answer: ({ sql }) => (sql.includes('JOIN') ? rowsReply(joined) : undefined),
  })
  expect(await parents.run(target)).toMatchObject({ outcome: 'pass' })
})
