import { changeViews, column, type Expression } from '../view-change.ts'

const induction = (expression: Expression) => column('v_bioprocesses', 'induction_event', expression)

export const inductionShape = changeViews('induction.shape', {
  timestamped: undefined,
  null: induction(() => 'NULL::jsonb'),
  'event-record': induction(
    (own, of) =>
      `(SELECT item FROM jsonb_array_elements(${of('events')}) AS item WHERE item -> 'id' = ${own} -> 'event_id')`,
  ),
  'json-text': induction((own) => `to_jsonb(${own}::text)`),
})
