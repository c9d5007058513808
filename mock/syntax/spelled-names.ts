import { type Fields, fieldsOf, isFields, listOf, nodeOf } from './tree.ts'

const identifier = /"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*/gu

/**
 * The names of columns as a select list spells them, by their names in the database. Names from a star or a function
 * are not spelled out; the last of equal names counts.
 *
 * @param select the statement's tree, whose locations count bytes of UTF-8
 * @param bytes the text in which the parser read it
 */
export function spelledNames(select: Fields, bytes: Uint8Array): ReadonlyMap<string, string> {
  const targets = listOf(select['targetList']).map((item) => fieldsOf(item, 'ResTarget') ?? {})
  const end = locationOf(listOf(select['fromClause'])[0]) ?? bytes.length
  const names = new Map<string, string>()
  targets.forEach((target, index) => {
    const next = targets[index + 1]?.['location'] ?? end
    const text = new TextDecoder().decode(bytes.subarray(Number(target['location']), Number(next)))
    const words = [...text.matchAll(identifier)].map(([word]) => word).filter((word) => !word.startsWith('"'))
    const name = target['name'] ?? columnOf(target['val'])
    const spelled = words.findLast((word) => word.toLowerCase() === name)
    if (spelled !== undefined) names.set(String(name), spelled)
  })
  return names
}

function columnOf(value: unknown): string | undefined {
  const last = listOf(fieldsOf(value, 'ColumnRef')?.['fields']).at(-1)
  const name = fieldsOf(last, 'String')?.['sval']
  return name === undefined ? undefined : String(name)
}

/** The place of the first relation of a FROM clause. */
function locationOf(item: unknown): number | undefined {
  const fields = nodeOf(item)?.fields
  if (!isFields(fields)) return undefined
  return 'location' in fields ? Number(fields['location']) : locationOf(fields['larg'])
}
