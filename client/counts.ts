import { longestTimerMs } from '../base/time/duration.ts'
import { ClientUsageError } from './errors.ts'

const counts = {
  overlapMs: { fits: (n: number) => n >= 0 && n < Infinity, form: 'milliseconds from 0' },
  pollMs: {
    fits: (n: number) => n >= 0 && n <= longestTimerMs,
    form: `milliseconds from 0 to ${longestTimerMs}`,
  },
  pageSize: { fits: (n: number) => n >= 1 && Number.isSafeInteger(n), form: 'a whole number from 1' },
}

/** @throws ClientUsageError for a number out of its range */
export function checkCounts(numbers: { readonly [Name in keyof typeof counts]?: number | undefined }): void {
  for (const [name, value] of Object.entries(numbers)) {
    const { fits, form } = counts[name as keyof typeof counts]
    if (value !== undefined && !fits(value))
      throw new ClientUsageError(`${name} is ${value}. Give ${form}, or leave it out.`)
  }
}
