import { onEnvelope, onRows, type Mutant } from '../mutant.ts'

/** The columns that both views of runs have. */
const experiment = (id: string) => ({
  id,
  external_id: `EXP-${id}`,
  scheduled_start_timestamp: null,
  scheduled_end_timestamp: null,
  last_updated_at: '2025-01-01T00:00:00Z',
})

export const experimentMutants: Mutant[] = [
  {
    id: 'parents-in-bioprocesses',
    breaks: 'REQ-VIEW-PARENTS',
    defect: 'v_experiments is a selection of v_bioprocesses: parents are in both.',
    wrap: (fetch) => {
      const parents = onEnvelope((envelope, { statement = '' }) => {
        if (!/\bv_bioprocesses\b/.test(statement) || !envelope.data.some((row) => 'parent_id' in row))
          return envelope
        const named = envelope.data.flatMap((row) =>
          typeof row['parent_id'] === 'string' ? [row['parent_id']] : [],
        )
        const copies = [...new Set(named)].map((id) => ({ ...envelope.data[0], ...experiment(id) }))
        return { ...envelope, data: [...envelope.data, ...copies] }
      })
      const experiments = onRows((row, { statement = '' }) =>
        /\bv_experiments\b/.test(statement) && 'external_id' in row
          ? { ...row, ...experiment(String(row['id'])) }
          : row,
      )
      return experiments(parents(fetch))
    },
  },
]
