import type { Client } from '../connection/client.ts'

/** Facts about the run itself for the reader of the report, one sentence each. */
export function runNotes({ pauses, options }: Client, maxRows: number | undefined): string[] {
  const { tokens } = options
  const notes: string[] = []
  if (pauses.asked > 0)
    notes.push(
      `${times(pauses.asked)} the target asked to come again later (Retry-After); ${(pauses.totalMs / 1000).toFixed(1)} s were spent waiting.`,
    )
  if (tokens.renewals > 0)
    notes.push(`The token was refused and renewed ${times(tokens.renewals).toLowerCase()}.`)
  if (tokens.failure !== undefined) notes.push(`Fetching a new token failed: ${tokens.failure}`)
  if (maxRows !== undefined) notes.push(`No LIMIT asked for more than ${maxRows} rows (--max-rows).`)
  return notes
}

const times = (count: number): string => (count === 1 ? 'Once' : `${count} times`)
