import { concat, type Field } from './wire.ts'

const encoder = new TextEncoder()

/** OIDs of the types the tests use. */
export const oid = {
  bool: 16,
  int8: 20,
  text: 25,
  float8: 701,
  textArray: 1009,
  int8Array: 1016,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  timestamptzArray: 1185,
  numeric: 1700,
  jsonb: 3802,
} as const

export function field(name: string, type: number): Field {
  return { name, type, table: 0, attribute: 0 }
}

/** A backend message as it is on the wire. */
export function wireMessage(type: string, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(5 + body.length)
  bytes[0] = type.charCodeAt(0)
  new DataView(bytes.buffer).setInt32(1, body.length + 4)
  bytes.set(body, 5)
  return bytes
}

/** The body of a DataRow. */
export function rowBody(values: readonly (string | null)[]): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(values.length >> 8, values.length & 255)]
  for (const value of values) {
    const text = value === null ? undefined : encoder.encode(value)
    const length = new Uint8Array(4)
    new DataView(length.buffer).setInt32(0, text?.length ?? -1)
    parts.push(length, text ?? new Uint8Array(0))
  }
  return concat(...parts)
}
