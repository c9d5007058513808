const [encoder, decoder] = [new TextEncoder(), new TextDecoder('utf-8', { ignoreBOM: true })]

/**
 * Writes a schema in front of names in a statement.
 *
 *     withSchema('SELECT * FROM v_units', [14], 'lab') // SELECT * FROM "lab".v_units
 *
 * @param places where the names begin, in bytes of UTF-8
 */
export function withSchema(text: string, places: readonly number[], schema: string): string {
  const bytes = encoder.encode(text)
  const prefix = `"${schema.replaceAll('"', '""')}".`
  const parts: string[] = []
  let copied = 0
  for (const place of places.toSorted((a, b) => a - b)) {
    parts.push(decoder.decode(bytes.subarray(copied, place)), prefix)
    copied = place
  }
  return parts.join('') + decoder.decode(bytes.subarray(copied))
}
