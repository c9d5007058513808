import { brokenKind } from '../answers/broken.ts'
import { documentedIn } from '../answers/documented.ts'
import type { Client } from '../connection/http/client.ts'

/** Notes on the run itself, one sentence each. */
export function runNotes(client: Client, maxRows: number | undefined, timeLimitMs: number): string[] {
  const { pace, options, statements } = client
  const { tokens } = options
  const notes: string[] = []
  if (pace.refused > 0)
    notes.push(
      `The target limited ${pace.refused} of ${statements} requests; the suite slowed down, which took ${(pace.waitedMs / 1000).toFixed(1)} s.`,
    )
  if (tokens.renewals > 0) notes.push(`The token was refused and renewed ${times(tokens.renewals)}.`)
  if (tokens.failure !== undefined) notes.push(`Fetching a new token failed: ${tokens.failure}`)
  notes.push(...brokenNotes(client, timeLimitMs))
  if (maxRows !== undefined) notes.push(`No LIMIT asked for more than ${maxRows} rows (--max-rows).`)
  return notes
}

/** How often the target, or something in front of it, gave no answer. It fails a check only if it happens each time. */
function brokenNotes({ broken, answers }: Client, timeLimitMs: number): string[] {
  const counts = {
    'broke off': broken.length,
    'came to documented statements without the envelope, or as a 504 at once': answers.filter(
      (one) => documentedIn(one) && brokenKind(one, timeLimitMs),
    ).length,
  }
  return Object.entries(counts).flatMap(([what, count]) =>
    count > 0 ? [`Replies that ${what}: ${count}.`] : [],
  )
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
