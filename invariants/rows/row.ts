/** A row whose values are not known to be what they should. */
export type Row = Readonly<Record<string, unknown>>

/** What a report calls a row. */
export function nameOf(row: Row): string {
  return keyOf(row['id'] ?? row['record_id'])
}

/** A value of a row as a key. Whatever an id holds has one, what no template can print too. */
export function keyOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
}

/** A number, or a text that is one; NaN for anything else. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
    ? Number(value)
    : Number.NaN
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What tells a row of v_timeseries or v_bioprocess_quantity_data: of what, and of which bioprocess. */
export const pairOf = (row: Row): string => `${keyOf(row['bioprocess_id'])} ${keyOf(row['quantity_id'])}`
