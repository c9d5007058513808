import { AsyncLocalStorage } from 'node:async_hooks'
import { LONG, redacted, secretHeader, secretOf, type Secret as Hidden } from '../../../base/text/secret.ts'
import { excerpt } from './excerpt.ts'
import { looseTokens } from './loose-tokens.ts'

/** The environment variables in place of the tokens in `curl` commands. */
export const TOKEN_VARIABLE = 'BIOPROCESS_SQL_TOKEN'
export const EXPIRED_TOKEN_VARIABLE = 'BIOPROCESS_SQL_EXPIRED_TOKEN'

/** Parts of a secret of at least this many characters are replaced in headers. */
const PART = 8

interface Secret extends Hidden {
  /** Its name in a shell; in parentheses, a command that prints the secret. */
  readonly variable: string
}

/**
 * Texts that must not appear in a report, each with the name of its variable.
 *
 * A secret of six characters or more is redacted everywhere, in any form. A shorter one (`x`, `id`, `data`) also occurs
 * in the sentences of the suite, so it is redacted only in text from the target, and only as a whole word; names of
 * JSON members stay.
 */
export class Secrets {
  /** Longest first, because one may be part of another. */
  #known: Secret[] = []

  add(text: string, variable: string): void {
    if (text === '' || this.#known.some((known) => known.text === text)) return
    this.#known = [...this.#known, { ...secretOf(text), variable }].sort(
      (a, b) => b.text.length - a.text.length,
    )
  }

  /** Adds the valid token, and the wrong ones from which a reader could tell it. */
  addToken(token: string): void {
    this.add(token, TOKEN_VARIABLE)
    for (const loose of looseTokens(token))
      this.add(loose.token, `(printf %s "$${TOKEN_VARIABLE}" | ${loose.filter})`)
  }

  /** Adds the values of headers whose names indicate a secret. */
  addHeaders(headers: Record<string, string>): void {
    for (const [name, value] of Object.entries(headers))
      if (secretHeader.test(name)) this.add(value, name.toUpperCase().replaceAll(/\W/g, '_'))
  }

  /** Redacts long secrets. */
  redact(text: string): string {
    return redactedAll(
      text,
      this.#known.filter((secret) => secret.text.length >= LONG),
    )
  }

  /** A text as reports show it: without long secrets, and of limited length. */
  forReport(text: string): string {
    return excerpt(this.redact(text))
  }

  /** Redacts long and short secrets, in text from the target. */
  redactEcho(text: string): string {
    return redactedAll(text, this.#known)
  }

  /**
   * The value of a header with a shell variable in place of the secret; undefined if it contains no secret. An invalid token
   * made from a valid one contains parts of it: a shell command in its place cuts them out of the variable.
   */
  asVariable(value: string): string | undefined {
    const secret = this.#known.find(({ text }) =>
      text.length < LONG ? ` ${value}`.endsWith(` ${text}`) : value.includes(text),
    )
    if (!secret)
      return this.#known.map((known) => withoutParts(value, known)).find((text) => text !== undefined)
    const at = value.lastIndexOf(secret.text)
    return `${value.slice(0, at)}$${secret.variable}${value.slice(at + secret.text.length)}`
  }

  /** Runs `work`; {@link echoed} redacts the secrets in it. */
  during<T>(work: () => Promise<T>): Promise<T> {
    return run.run(this, work)
  }
}

const run = new AsyncLocalStorage<Secrets>()

/** Redacts text from the target for a sentence of the suite. Call it before cutting the text. */
export const echoed = (text: string): string => run.getStore()?.redactEcho(text) ?? text

const placeholder = ({ variable }: Secret): string =>
  variable.includes(TOKEN_VARIABLE) ? '[token]' : `[${variable}]`

const redactedAll = (text: string, secrets: readonly Secret[]): string =>
  secrets.reduce((safe, secret) => redacted(safe, secret, placeholder(secret)), text)

/** The value without parts of a secret, for double quotes in a POSIX shell; undefined if it contains none. */
function withoutParts(value: string, { text, variable }: Secret): string | undefined {
  let written = ''
  let found = false
  for (let at = 0; at < value.length;) {
    const part = longestPart(value.slice(at), text)
    if (part.length < PART) written += value.charAt(at++).replace(/["$`\\]/, '\\$&')
    else {
      const first = text.indexOf(part) + 1
      written += `$(printf %s "$${variable}" | cut -c ${first}-${first + part.length - 1})`
      at += part.length
      found = true
    }
  }
  return found ? written : undefined
}

/** The longest start of `text` that is in `secret`. */
function longestPart(text: string, secret: string): string {
  let length = 0
  while (length < text.length && secret.includes(text.slice(0, length + 1))) length++
  return text.slice(0, length)
}
