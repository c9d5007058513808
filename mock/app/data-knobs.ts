import { knobs, type Knobs } from '../../schemas/generated/knobs.ts'

/** Knobs that are in the data, whole: the engine's views take them on (mock/engine/data-variants). */
const whole = [
  'qc.types',
  'events.discriminator',
  'induction.shape',
  'attachments.shape',
  'lineage.shape',
  'bioprocess.duration',
  'measurement_info.shape',
  'qd.value',
  'quantities.data_type',
  'base_units.shape',
  'archived.tableName',
  'fr.data.shape',
  'formulas.states',
  'formulaResults.origin',
  'formulaResults.scalarStatistics',
  'statistics.sd',
  'statistics.count',
  'timeseriesData.lastUpdatedAt',
] as const satisfies readonly (keyof Knobs)[]

/** The variants that are in the data, by knob. */
export const dataVariantsOf: Readonly<Partial<Record<keyof Knobs, readonly string[]>>> = {
  ...Object.fromEntries(whole.map((knob) => [knob, knobs[knob].slice(1)])),
  'num.nonfinite': ['quoted-nan', 'bare-nan'],
  'num.encoding': ['big-integer'],
  'delta.zone': ['text-comparison'],
  'schema.extra': ['additive'],
  'auth.permission': ['rows-filtered'],
}
