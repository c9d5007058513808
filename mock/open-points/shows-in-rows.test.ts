import { expect, test } from 'vitest'
import { settingVariants } from '../../schemas/index.ts'
import { defaultSettings } from './settings.ts'
import { changeRows, viewChanges } from '../engine/views/views.ts'
import type { EngineSettings } from '../statement.ts'
import { showsInRows } from './shows-in-rows.ts'

/** Changes of views that a recording does not keep: types, missing and additional columns, numbers that JSON lacks. */
const appliedAgain = [
  'timeseries-data.last-updated-at=absent',
  'schema.extra=additive',
  'delta.zone=text-comparison',
  'numbers.non-finite=quoted-nan',
  'numbers.non-finite=bare-nan',
]

test('a recording already shows every variant that changes values of views', () => {
  const all = Object.entries(settingVariants).flatMap(([id, variants]) =>
    variants.map((variant) => ({ id, variant, name: `${id}=${variant}` })),
  )
  const changing = all.filter(({ id, variant }) =>
    changeRows(viewChanges({ ...defaultSettings, [id]: variant } as EngineSettings)),
  )
  expect(changing.length).toBeGreaterThan(20)
  const missed = changing.filter(({ id, variant }) => !showsInRows(id, variant)).map(({ name }) => name)
  expect(missed.toSorted()).toEqual(appliedAgain.toSorted())
  const harmless = all
    .filter(({ id, variant }) => showsInRows(id, variant))
    .filter(({ id }) => changing.every((one) => one.id !== id))
  expect(harmless).toEqual([])
})
