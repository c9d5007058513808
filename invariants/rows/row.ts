/** A row with unverified values. */
export type Row = Readonly<Record<string, unknown>>

/** The id of a row in reports. */
export function nameOf(row: Row): string {
  return keyOf(row['id'] ?? row['record_id'])
}

/** A value of a row as a key. Values other than strings become JSON, because a template can't print all of them. */
export function keyOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
}

/** A number, or a string that holds one; NaN for anything else. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
    ? Number(value)
    : Number.NaN
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
