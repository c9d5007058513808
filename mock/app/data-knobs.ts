/** The knobs that are in the data: the engine's views take them on (mock/engine/data-variants). */
export const dataKnobs = {
  'qc.types': ['string-or-null', 'string', 'enum', 'boolean', 'object'],
  'events.discriminator': [
    'type-timestamp',
    'kind-time',
    'typename-timestamp',
    'event-type-time-ms',
    'none-timestamp',
  ],
  'induction.shape': ['timestamped', 'null', 'event-record', 'json-text'],
  'attachments.shape': ['file-metadata', 'url', 'id-name-url', 'empty-object'],
  'lineage.shape': ['parents-generation', 'null', 'parents-children', 'ancestor-ids'],
  'bioprocess.duration': ['run', 'record', 'other'],
  'measurement_info.shape': ['labels-map', 'null', 'labels-list'],
  'qd.value': ['mixed', 'number', 'string', 'decimal-string'],
  'quantities.data_type': [
    'numeric-text-date',
    'float-integer-string-boolean',
    'number-text-categorical',
    'upper-case',
  ],
  'base_units.shape': ['exponent-map', 'empty', 'unit-text'],
  'archived.tableName': ['base-table', 'view'],
  'fr.data.shape': ['value-unit-r2-n', 'value-unit', 'value', 'bare-number'],
  'formulas.states': ['ready-draft-error-computing', 'draft', 'error', 'calculating', 'archived'],
  'formulaResults.origin': ['series-start', 'run-start', 'epoch'],
  'formulaResults.scalarStatistics': ['filled', 'null'],
  'statistics.sd': ['sample', 'population'],
  'statistics.count': ['non-null', 'all'],
  'timeseriesData.lastUpdatedAt': ['present', 'absent'],
} as const

/** Variants of other knobs that are in the data too. */
export const partlyData = {
  'num.nonfinite': ['quoted-nan', 'bare-nan'],
  'num.encoding': ['big-integer'],
  'delta.zone': ['text-comparison'],
  'schema.extra': ['additive'],
  'auth.permission': ['rows-filtered'],
} as const
