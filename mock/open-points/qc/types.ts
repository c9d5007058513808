import { changeViews, column } from '../view-change.ts'

/** An object with both keys of qc, from their values as texts. */
const qc = (of: (status: string, failureMode: string) => [status: string, failureMode: string]) =>
  column('v_bioprocesses', 'qc', (own) => {
    const [status, failureMode] = of(`(${own} ->> 'status')`, `(${own} ->> 'failure_mode')`)
    return `jsonb_build_object('status', ${status}, 'failure_mode', ${failureMode})`
  })

export const qcTypes = changeViews('qc.types', {
  'string-or-null': undefined,
  string: qc((status, mode) => [
    `coalesce(${status}, 'Not looked at')`,
    `coalesce(${mode}, 'None seen in ' || base.external_id)`,
  ]),
  enum: qc((status, mode) => [
    `coalesce(lower(${status}), 'pending')`,
    `CASE WHEN ${mode} IS NULL THEN 'none' ELSE 'process' END`,
  ]),
  boolean: qc((status, mode) => [`coalesce(${status} = 'Pass', false)`, mode]),
  object: qc((status, mode) => [
    `jsonb_build_object('value', ${status}, 'by', 'QC')`,
    `jsonb_build_object('value', ${mode}, 'seen', ${mode} IS NOT NULL)`,
  ]),
})
