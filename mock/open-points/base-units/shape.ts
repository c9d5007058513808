import { changeViews, column } from '../view-change.ts'

const baseUnits = (json: string) => column('v_quantities', 'base_units', () => json)

export const baseUnitsShape = changeViews('base-units.shape', {
  'exponent-map': undefined,
  empty: baseUnits(`'{}'::jsonb`),
  'unit-text': baseUnits(
    `CASE base.default_unit WHEN '' THEN '{}' ELSE jsonb_build_object('unit', base.default_unit) END`,
  ),
})
