import { onStatement, type Mutant } from './mutant.ts'

/** The right side of every LEFT JOIN with one of `views` has lost its rows. */
const emptied = (views: string): Mutant['wrap'] =>
  onStatement((sql) =>
    sql.replace(new RegExp(`(\\bleft\\s+join\\s+)(${views})\\b`, 'i'), '$1(SELECT * FROM $2 LIMIT 0)'),
  )

/** References without a row to refer to. */
export const referenceMutants: Mutant[] = [
  {
    id: 'references-to-parents-dangle',
    breaks: 'REQ-VIEW-PARENT-REF',
    defect: 'The experiments that parents refer to are gone.',
    wrap: emptied('v_experiments'),
  },
  {
    id: 'references-dangle',
    breaks: 'REQ-VIEW-REFS',
    defect: 'The rows that the documented relations refer to are gone.',
    wrap: emptied('v_bioprocesses|v_timeseries|v_quantities|v_formulas'),
  },
]
