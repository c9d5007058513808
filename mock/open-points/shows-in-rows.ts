import type { SettingId } from '../../schemas/open-points.ts'

/** Settings that only change the values of rows. */
const ofRows: ReadonlySet<string> = new Set<SettingId>([
  'qc.types',
  'induction.shape',
  'attachments.shape',
  'lineage.shape',
  'measurement-info.shape',
  'quantities.data-type',
  'base-units.shape',
  'formula-results.data',
  'formulas.states',
  'events.discriminator',
  'quantity-data.value',
  'bioprocesses.duration',
  'statistics.standard-deviation',
  'statistics.count',
  'archived-records.table-name',
  'formula-results.origin',
  'formula-results.scalar-statistics',
])

/** Single variants of other settings that do. */
const variantsOfRows: ReadonlySet<string> = new Set([
  'numbers.encoding=big-integer',
  'auth.permission=rows-filtered',
])

/**
 * Whether the rows of a recorded service already show a variant, so that a server of these rows must not apply it again: a
 * text that was an attachment's URL has no id to make a URL of.
 */
export const showsInRows = (id: string, variant: string): boolean =>
  ofRows.has(id) || variantsOfRows.has(`${id}=${variant}`)
