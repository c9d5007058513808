import { canonical, type Json } from '../connection/values/json.ts'

/** The values that remain after each of `others` removed one equal value. */
export function remaining<T extends Json>(values: readonly T[], others: readonly Json[]): T[] {
  const stock = new Map<string, number>()
  for (const other of others) {
    const text = canonical(other)
    stock.set(text, (stock.get(text) ?? 0) + 1)
  }
  return values.filter((value) => {
    const text = canonical(value)
    const left = stock.get(text) ?? 0
    stock.set(text, left - 1)
    return left <= 0
  })
}
