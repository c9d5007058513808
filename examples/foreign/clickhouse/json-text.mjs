import { createInterface } from 'node:readline'

/**
 * Lines of JSON in, lines of JSON out: ClickHouse 18 has no type for JSON and none for true and false. A quoted
 * number is read as a number where the column is one, so everything else can go as text.
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
