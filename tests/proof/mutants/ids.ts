import { onRows, type Mutant } from '../mutant.ts'

export const idMutants: Mutant[] = [
  {
    id: 'ids-repeated',
    breaks: 'REQ-VIEW-ID-UNIQUE',
    defect: 'Identifiers are cut to their first two characters.',
    wrap: onRows((row) => (typeof row['id'] === 'string' ? { ...row, id: row['id'].slice(0, 2) } : row)),
  },
]
