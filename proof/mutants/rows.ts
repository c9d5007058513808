import { onEnvelope, onObjects, onRows, without, type Mutant } from '../mutant.ts'

/** The columns that both views of runs have. */
const experiment = (id: string) => ({
  id,
  external_id: `EXP-${id}`,
  scheduled_start_timestamp: null,
  scheduled_end_timestamp: null,
  last_updated_at: '2025-01-01T00:00:00Z',
})

export const rowMutants: Mutant[] = [
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
  {
    id: 'ids-repeated',
    breaks: 'REQ-VIEW-ID-UNIQUE',
    defect: 'Identifiers are cut to their first two characters.',
    wrap: onRows((row) => (typeof row['id'] === 'string' ? { ...row, id: row['id'].slice(0, 2) } : row)),
  },
  {
    id: 'statistics-without-sum',
    breaks: 'REQ-VIEW-STATS-SHAPE',
    defect: 'statistics has no sum.',
    wrap: onObjects('statistics', (statistics) => without(statistics, 'sum')),
  },
  {
    id: 'statistics-count-text',
    breaks: 'REQ-VIEW-STATS-SHAPE',
    defect: 'The count in statistics is a text.',
    wrap: onObjects('statistics', (statistics) => ({ ...statistics, count: String(statistics['count']) })),
  },
  {
    id: 'series-without-times',
    breaks: 'REQ-VIEW-FR-SHAPE',
    defect: 'The series of a formula result has no times_ms.',
    wrap: onObjects('timeseries', (series) => without(series, 'times_ms')),
  },
  {
    id: 'series-of-texts',
    breaks: 'REQ-VIEW-FR-SHAPE',
    defect: 'The values of a series are texts.',
    wrap: onObjects('timeseries', (series) => ({
      ...series,
      data: (series['data'] as unknown[]).map(String),
    })),
  },
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
