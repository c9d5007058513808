import { createHash } from 'node:crypto'

/** One request to the target and what came back. */
export interface Exchange {
  request: { method: string; url: string; headers: Record<string, string>; body: string }
  /** Absent where the connection gave none. */
  response?: { status: number; headers: Headers; text: string; bytes: number }
  /** Why there is no response. */
  failure?: string
  /** Time from sending to the last byte, in milliseconds. */
  durationMs: number
}

const TOKEN_VARIABLE = 'BIOPROCESS_SQL_TOKEN'

/**
 * A command line that sends the request again. The valid token is written as a variable, so that a report can
 * be passed on; a wrong token that the suite made up stands as it was.
 */
export function curlOf({ request }: Exchange, secrets: readonly string[]): string {
  const headers = Object.entries(request.headers).map(([name, value]) => {
    const secret = secrets.find((secret) => value.includes(secret))
    return secret === undefined
      ? `-H ${quote(`${name}: ${value}`)}`
      : `-H "${name}: ${value.replace(secret, () => `$${TOKEN_VARIABLE}`)}"`
  })
  const body = request.method === 'GET' ? [] : [`--data-raw ${quote(request.body)}`]
  return ['curl -sS -i', `-X ${request.method}`, quote(request.url), ...headers, ...body].join(' ')
}

/** Evidence for a report: the body is given by its hash, because rows may be confidential. */
export function evidenceOf({ request, response, durationMs }: Exchange) {
  return {
    request: request.body.length > 300 ? `${request.body.slice(0, 300)}…` : request.body,
    status: response?.status ?? 0,
    bytes: response?.bytes ?? 0,
    sha256: createHash('sha256')
      .update(response?.text ?? '')
      .digest('hex'),
    durationMs: Math.round(durationMs),
  }
}

/** Quotes for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
