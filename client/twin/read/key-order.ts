import { compareTimes } from './times.ts'

/** The orders in which databases sort texts: by code, or as a language does. */
const textOrders = [
  (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0),
  ...[{}, { ignorePunctuation: true }, { numeric: true }].map(
    (options) => new Intl.Collator('en', options).compare,
  ),
]

/** Whether keys ascend in one of the orders that databases have. Only a key that is not unique may repeat. */
export function ascends(
  { columns, isUnique }: { columns: readonly string[]; isUnique: boolean },
  keys: readonly (readonly string[])[],
): boolean {
  return textOrders.some((compareTexts) =>
    keys.slice(1).every((key, index) => {
      const before = keys[index]!
      const differs = columns.findIndex((_, at) => key[at] !== before[at])
      if (differs < 0) return !isUnique
      const compare = columns[differs] === 'timestamp' ? compareTimes : compareTexts
      return compare(key[differs]!, before[differs]!) >= 0
    }),
  )
}
