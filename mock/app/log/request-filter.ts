import { microsecondsOf, readTimestamp } from '../../../base/time/timestamp.ts'
import { type Matches, statementsWith, wordsProblem } from '../faults/words.ts'
import { Refusal } from '../answer/refusal.ts'
import type { LoggedRequest } from '../log/request-log.ts'

const names = ['statement', 'status', 'state', 'after', 'count', 'within', 'session']

const states = ['success', 'error']

/** Selects requests by their statement and their status; whatever is not given selects all. */
export const selecting =
  (matches: Matches | undefined, status: number | undefined) =>
  (entry: { readonly statement?: string; readonly status?: number }): boolean =>
    (!matches || (entry.statement !== undefined && matches(entry.statement))) &&
    (status === undefined || entry.status === status)

/**
 * The requests that the parameters of a URL select: `statement` by its words,
 * `status`, `state`, and `after` an id or a time.
 *
 * @throws Refusal 400
 */
export function readRequestFilter(query: URLSearchParams): (entry: LoggedRequest) => boolean {
  const unknown = [...query.keys()].filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new Refusal(
      400,
      `There is no parameter ${unknown.join(', ')}. The parameters are: ${names.join(', ')}.`,
    )
  const [statement, status, state, after] = ['statement', 'status', 'state', 'after'].map((name) =>
    query.get(name),
  )
  if (status && !/^[1-5]\d\d$/.test(status))
    throw new Refusal(400, `status is ${JSON.stringify(status)}. Give an HTTP status, such as 503.`)
  if (state && !states.includes(state))
    throw new Refusal(400, `state is ${JSON.stringify(state)}. Give ${states.join(' or ')}.`)
  const problem = statement ? wordsProblem(statement) : undefined
  if (problem !== undefined) throw new Refusal(400, problem)
  const isSelected = selecting(
    statement ? statementsWith(statement) : undefined,
    status ? Number(status) : undefined,
  )
  const isAfter = after ? laterThan(after) : undefined
  return (entry) => isSelected(entry) && (!state || entry.state === state) && (!isAfter || isAfter(entry))
}

function laterThan(after: string): (entry: LoggedRequest) => boolean {
  if (/^\d+$/.test(after)) return ({ id }) => id > Number(after)
  const timestamp = readTimestamp(after)
  if (timestamp === undefined)
    throw new Refusal(
      400,
      `after is ${JSON.stringify(after)}. Give the id of a request, or a time in ISO 8601.`,
    )
  const time = microsecondsOf(timestamp) / 1000
  return ({ at }) => Date.parse(at) > time
}
