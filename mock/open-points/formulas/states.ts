import { changeViews, column } from '../view-change.ts'

/** Puts one state in place of every state other than `ready`. */
const otherwise = (state: string) =>
  column('v_formulas', 'state', (own) => `CASE ${own} WHEN 'ready' THEN ${own} ELSE '${state}' END`)

export const formulaStates = changeViews('formulas.states', {
  'ready-draft-error-computing': undefined,
  draft: otherwise('draft'),
  error: otherwise('error'),
  calculating: otherwise('calculating'),
  archived: otherwise('archived'),
})
