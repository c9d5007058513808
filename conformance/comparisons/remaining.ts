import { canonical, type Json } from '../connection/json.ts'

/** The values that remain after each of `others` removed one equal value. */
export function remaining<T extends Json>(values: readonly T[], others: readonly Json[]): T[] {
  const stock = new Map<string, number>()
  for (const other of others) stock.set(canonical(other), (stock.get(canonical(other)) ?? 0) + 1)
  return values.filter((value) => {
    const left = stock.get(canonical(value)) ?? 0
    stock.set(canonical(value), left - 1)
    return left <= 0
  })
}
