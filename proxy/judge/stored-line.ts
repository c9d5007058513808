import type { Exchange } from '../../client-conformance/index.ts'
import { Secrets, TOKEN_VARIABLE } from '../../conformance/connection/secrets.ts'

/** Names of headers whose values are secrets. */
const SECRET = /auth|cookie|credential|key|pass|secret|session|signature|token/i
/** Tokens to look for in bodies: the newest. */
const MOST_TOKENS = 100

/**
 * Writes exchanges as lines of JSON that can be passed on. Tokens never appear. Values of rows appear only in `bodies`: without
 * them, a line has the statement with its texts concealed, and the number of rows.
 */
export class StoredLines {
  readonly #bodies: boolean
  #tokens: string[] = []

  constructor(bodies: boolean) {
    this.#bodies = bodies
  }

  line(exchange: Exchange, number: number): string {
    const token = /^bearer +(\S+)/i.exec(exchange.headers['authorization'] ?? '')?.[1]
    if (token !== undefined && !this.#tokens.includes(token))
      this.#tokens = [token, ...this.#tokens].slice(0, MOST_TOKENS)
    const secrets = new Secrets()
    for (const known of this.#tokens) secrets.add(known, TOKEN_VARIABLE)
    const { answer, body } = exchange
    return `${secrets.redactEcho(
      JSON.stringify({
        number,
        startedMs: exchange.startedMs,
        endedMs: exchange.endedMs,
        ending: exchange.ending,
        method: exchange.method,
        path: exchange.path,
        headers: withoutSecrets(exchange.headers),
        statement: statementOf(body.text),
        ...(this.#bodies && { body }),
        ...(answer && {
          answer: {
            status: answer.status,
            headers: withoutSecrets(answer.headers),
            ...summary(answer.body.text, answer.body.isWhole),
            ...(this.#bodies && { body: answer.body }),
          },
        }),
      }),
    )}\n`
  }
}

const withoutSecrets = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET.test(name) ? '[redacted]' : value]),
  )

/** The statement with letters and digits of its texts concealed; dates stay. */
function statementOf(body: string): string | undefined {
  const statement = member(parsed(body), 'statement')
  return typeof statement === 'string' ? concealTexts(statement) : undefined
}

/** Texts in any quotes, also without an end, and comments; quoted names, which stay. */
const TEXTS =
  /"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(\$\w*\$)[\s\S]*?(?:\1|$)|\be'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|'(?:[^']|'')*(?:'|$)/gi
const DATE = /^'\d{4}-\d\d-\d\d([T ][\d:.,]+)? ?(Z|[+-][\d:]+)?'$/

const concealTexts = (sql: string): string =>
  sql.replaceAll(TEXTS, (text) =>
    text.startsWith('"') || DATE.test(text) ? text : text.replaceAll(/[\p{L}\p{N}]/gu, 'x'),
  )

/** The state of an answer and its number of rows. Messages may repeat values of a statement. */
function summary(text: string, isWhole: boolean): { isWhole: boolean; state?: unknown; rows?: number } {
  const envelope = isWhole ? parsed(text) : undefined
  const data = member(envelope, 'data')
  const state = member(member(envelope, 'status'), 'state')
  return {
    isWhole,
    ...(state === 'success' || state === 'error' ? { state } : {}),
    ...(Array.isArray(data) && { rows: data.length }),
  }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
