import { changeViews, column, type Expression } from '../view-change.ts'

const info = (expression: Expression) => column('v_bioprocess_quantity_data', 'measurement_info', expression)

export const measurementInfoShape = changeViews('measurement-info.shape', {
  'labels-map': undefined,
  null: info(() => 'NULL::jsonb'),
  'labels-list': info(
    (own) =>
      `CASE WHEN ${own} IS NOT NULL THEN jsonb_build_object('labels', jsonb_path_query_array(${own}, '$.labels.*')) END`,
  ),
})
