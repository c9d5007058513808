import { createInterface } from 'node:readline'

/**
 * Converts lines of JSON for ClickHouse 18, which has no types for JSON and booleans. It parses a quoted number in a numeric
 * column, so all other values can be texts.
 */
function written(value) {
  if (value === null) return null
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

for await (const line of createInterface({ input: process.stdin })) {
  const row = Object.entries(JSON.parse(line)).map(([name, value]) => [name, written(value)])
  console.log(JSON.stringify(Object.fromEntries(row)))
}
