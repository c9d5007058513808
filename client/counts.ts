import { ClientUsageError } from './errors.ts'

/** @throws ClientUsageError for a number below 0, and for a pageSize of 0 */
export function checkCounts(numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(numbers))
    if (value !== undefined && !(value >= 0 && Number.isFinite(value)))
      throw new ClientUsageError(`${name} is ${value}. Give a number of at least 0, or leave it out.`)
  if (numbers['pageSize'] === 0) throw new ClientUsageError('pageSize is 0. Give a number of at least 1.')
}
