import { onEnvelope, onRows, type Mutant } from '../mutant.ts'

export const quantityDataMutants: Mutant[] = [
  {
    id: 'quantity-data-twice',
    breaks: 'REQ-VIEW-QD-UNIQUE',
    defect: 'Every value of v_bioprocess_quantity_data is served twice, under two ids.',
    wrap: onEnvelope((envelope, { statement }) =>
      statement?.includes('v_bioprocess_quantity_data')
        ? {
            ...envelope,
            data: envelope.data.flatMap((row) => [row, { ...row, id: `${String(row['id'])}b` }]),
          }
        : envelope,
    ),
  },
  {
    id: 'quantity-data-unit-null',
    breaks: 'REQ-VIEW-QD-UNIT',
    defect: 'unit is null where it should be the empty text.',
    wrap: onRows((row) => (row['unit'] === '' ? { ...row, unit: null } : row)),
  },
]
