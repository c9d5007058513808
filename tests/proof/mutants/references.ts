import { onStatement, type Mutant } from '../mutant.ts'

/** Some views have only the rows that meet a condition, in every statement. */
const only = (views: string, condition: string): Mutant['wrap'] =>
  onStatement((sql) =>
    sql.replace(
      new RegExp(`(\\b(?:from|join)\\s+)(${views})\\b`, 'gi'),
      `$1(SELECT * FROM $2 WHERE ${condition})`,
    ),
  )

/** References without a row to refer to. */
export const referenceMutants: Mutant[] = [
  {
    id: 'references-to-parents-dangle',
    breaks: 'REQ-VIEW-PARENT-REF',
    defect: 'The experiments that parents refer to are gone.',
    wrap: only('v_experiments', 'false'),
  },
  {
    id: 'references-dangle',
    breaks: 'REQ-VIEW-REFS',
    defect: 'Half of the rows that the documented relations refer to are gone.',
    wrap: only('v_bioprocesses|v_timeseries|v_quantities|v_formulas', "right(id, 1) >= '8'"),
  },
]
