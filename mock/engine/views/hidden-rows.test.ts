import { beforeAll, describe, expect, test } from 'vitest'
import { datasetOf } from '../../../fixtures/dataset.ts'
import { sampleRows } from '../../../invariants/tables.test-helper.ts'
import { loadArtifacts } from '../../node/pglite/artifacts.ts'
import { createSettings } from '../../open-points/settings.ts'
import { Session } from '../session/session.ts'
import { buildSnapshot } from '../snapshot/build.ts'

/** The rows of the first of two experiments are hidden. Each of its ids is a most common value. */
const ofBoth = <Row extends object>(row: Row, change: (side: string, index: number) => Partial<Row>): Row[] =>
  ['hidden', 'shown'].flatMap((side) =>
    Array.from({ length: 20 }, (_, index) => ({ ...row, ...change(side, index) })),
  )
const plant = datasetOf({
  v_experiments: ofBoth(sampleRows.v_experiments, (side, index) => ({
    id: index === 0 ? `${side}-e` : `e${index}-${side}`,
  })),
  v_bioprocesses: ofBoth(sampleRows.v_bioprocesses, (side, index) => ({
    id: `${side}-b${index || ''}`,
    parent_id: `${side}-e`,
  })),
  v_bioprocess_quantity_data: ofBoth(sampleRows.v_bioprocess_quantity_data, (side, index) => ({
    id: `${side}-d${index}`,
    bioprocess_id: `${side}-b`,
  })),
  v_timeseries: ofBoth(sampleRows.v_timeseries, (side, index) => ({
    id: `${side}-t${index || ''}`,
    bioprocess_id: `${side}-b`,
  })),
  v_formula_results: ofBoth(sampleRows.v_formula_results, (side, index) => ({
    id: `${side}-r${index}`,
    bioprocess_id: `${side}-b`,
  })),
  v_timeseries_data: ofBoth(sampleRows.v_timeseries_data, (side, index) => ({
    id: `${side}-t`,
    timestamp: `2025-03-01T08:${String(index + 10)}:00.000000+00:00`,
  })),
})

let session: Session
beforeAll(async () => {
  const artifacts = await loadArtifacts()
  session = await Session.open(await buildSnapshot(plant, artifacts), artifacts)
  const own = { ...sampleRows.v_bioprocesses, id: 'own', parent_id: 'own' }
  await session.overlays.add({
    id: 'own',
    changes: [{ view: 'v_bioprocesses', put: [own], remove: [{ id: 'shown-b1' }] }],
  })
})

/** Whether a statement is answered, and the message of its error. */
async function outcome(statement: string, variant: string, overlay?: string): Promise<string> {
  try {
    const settings = createSettings({ 'auth.permission': variant })
    for await (const _ of session.run(statement, settings, overlay));
    return 'answered'
  } catch (error) {
    return (error as Error).message
  }
}

/** The views that filter, with a column and a hidden value in it. */
const filtered = [
  ['v_experiments', 'id', 'hidden-e'],
  ['v_bioprocesses', 'parent_id', 'hidden-e'],
  ['v_bioprocess_quantity_data', 'bioprocess_id', 'hidden-b'],
  ['v_timeseries', 'bioprocess_id', 'hidden-b'],
  ['v_formula_results', 'bioprocess_id', 'hidden-b'],
  ['v_timeseries_data', 'id', 'hidden-t'],
] as const

/** Conditions that fail for a value, and come before others since they cost less. PostgreSQL takes an array for harmless. */
const failing = {
  'duplicate JSON': (column: string, value: string) =>
    `JSON_OBJECT(${column}: 1, '${value}': 2 WITH UNIQUE KEYS) IS NOT NULL`,
  'multidimensional arrays': (column: string, value: string) =>
    `ARRAY[CASE WHEN ${column} = ANY('{${value}}'::text[]) THEN '{1}'::int[] ELSE '{1,2}' END, '{1,2}'::int[]] IS NOT NULL`,
}

describe.each([undefined, 'own'])('with the rows of the session %s', (overlay) => {
  test.each(filtered)('no condition meets the hidden rows of %s', async (view, column, value) => {
    const by = (condition: string) => `SELECT count(*) FROM ${view} WHERE ${condition}`
    for (const [message, failsFor] of Object.entries(failing)) {
      const joined = `SELECT count(*) FROM ${view} a JOIN ${view} b ON ${failsFor(`a.${column}`, value)} AND b.id = a.id`
      for (const statement of [by(failsFor(column, value)), joined]) {
        expect(await outcome(statement, 'none', overlay)).toContain(message)
        expect(await outcome(statement, 'rows-filtered', overlay)).toBe('answered')
      }
      const shown = by(failsFor(column, value.replace('hidden', 'shown')))
      expect(await outcome(shown, 'rows-filtered', overlay)).toContain(message)
    }
  })

  test.each(filtered)('the statistics of hidden rows of %s decide nothing', async (view, column, value) => {
    // the planner compares a pattern with the most common values
    const estimated = `SELECT count(*) FROM ${view} WHERE ${column} LIKE '${value.slice(0, -1)}%\\'`
    const message = 'LIKE pattern must not end with escape character'
    expect(await outcome(estimated, 'none', overlay)).toBe(message)
    expect(await outcome(estimated, 'rows-filtered', overlay)).toBe('answered')
  })

  test.each(['view-hidden', '403', 'permission-denied'])(
    'a withheld view has no statistics either, under %s',
    async (variant) => {
      for (const part of ['hidden', 'shown', 'nothing'])
        expect(
          await outcome(
            `SELECT 1 FROM v_formula_results WHERE bioprocess_id LIKE '${part}%\\'`,
            variant,
            overlay,
          ),
        ).toMatch(/v_formula_results/)
    },
  )
})
