import type { Client } from '../connection/http/client.ts'

/** Notes on the run itself, one sentence each. */
export function runNotes({ pauses, options }: Client, maxRows: number | undefined): string[] {
  const { tokens } = options
  const notes: string[] = []
  if (pauses.asked > 0)
    notes.push(
      `The target sent Retry-After ${times(pauses.asked)}; the suite waited ${(pauses.totalMs / 1000).toFixed(1)} s.`,
    )
  if (tokens.renewals > 0) notes.push(`The token was refused and renewed ${times(tokens.renewals)}.`)
  if (tokens.failure !== undefined) notes.push(`Fetching a new token failed: ${tokens.failure}`)
  if (maxRows !== undefined) notes.push(`No LIMIT asked for more than ${maxRows} rows (--max-rows).`)
  return notes
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
