import type { Exchange } from '../client/conformance/index.ts'
import { Secrets, TOKEN_VARIABLE } from '../conformance/connection/redaction/secrets.ts'

/** Headers whose values are kept. Any other may hold a secret, or a URL with one. */
const KEPT = new Set(
  (
    'accept accept-encoding age allow cache-control connection content-encoding content-length content-type date expect ' +
    'host keep-alive ratelimit-limit ratelimit-remaining ratelimit-reset retry-after server transfer-encoding user-agent vary'
  ).split(' '),
)

/**
 * An exchange as a line of JSON that can be passed on. It has no token, and the values of rows only in `bodies`: without them,
 * it has the statement with its texts concealed, and the number of rows.
 */
export function storedLine(exchange: Exchange, number: number, bodies: boolean): string {
  const { headers, body, answer } = exchange
  const secrets = new Secrets()
  const token = /^bearer +(\S+)/i.exec(headers['authorization'] ?? '')?.[1]
  if (token !== undefined) secrets.add(token, TOKEN_VARIABLE)
  const statement = parsed(body.text)?.['statement']
  const line = JSON.stringify({
    number,
    startedMs: exchange.startedMs,
    endedMs: exchange.endedMs,
    ending: exchange.ending,
    method: exchange.method,
    path: exchange.path,
    headers: concealed(headers),
    statement: typeof statement === 'string' ? concealTexts(statement) : undefined,
    ...(bodies && { body }),
    ...(answer && {
      answer: {
        status: answer.status,
        headers: concealed(answer.headers),
        ...summary(answer.body),
        ...(bodies && { body: answer.body }),
      },
    }),
  })
  return `${secrets.redactEcho(line)}\n`
}

const concealed = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, KEPT.has(name) ? value : '[redacted]']),
  )

/** Texts in any quotes, also without an end, and comments; quoted names, which stay. */
const TEXTS =
  /"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(\$\w*\$)[\s\S]*?(?:\1|$)|\be'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|'(?:[^']|'')*(?:'|$)/gi
const DATE = /^'\d{4}-\d\d-\d\d([T ][\d:.,]+)? ?(Z|[+-][\d:]+)?'$/

/** The statement with letters and digits of its texts concealed; dates stay. */
const concealTexts = (sql: string): string =>
  sql.replaceAll(TEXTS, (text) =>
    text.startsWith('"') || DATE.test(text) ? text : text.replaceAll(/[\p{L}\p{N}]/gu, 'x'),
  )

/** The state of an answer and its number of rows. Messages may repeat values of a statement. */
function summary({ text, isWhole }: Exchange['body']): { isWhole: boolean; state?: unknown; rows?: number } {
  const { data, status } = (isWhole ? parsed(text) : undefined) ?? {}
  const state = (status as { state?: unknown } | null | undefined)?.state
  return {
    isWhole,
    ...(state === 'success' || state === 'error' ? { state } : {}),
    ...(Array.isArray(data) && { rows: data.length }),
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null) ?? undefined
  } catch {
    return undefined
  }
}
