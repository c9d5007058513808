/** The environment variables that stand for the tokens in a `curl` line. */
export const TOKEN_VARIABLE = 'BIOPROCESS_SQL_TOKEN'
export const EXPIRED_TOKEN_VARIABLE = 'BIOPROCESS_SQL_EXPIRED_TOKEN'

/** Headers whose value is a key to something. */
const KEYS = /auth|cookie|credential|key|pass|secret|session|signature|token/i

/** Texts that must not appear in a report, each with the variable that stands for it. */
export class Secrets {
  /** Longest first: one may be part of another. */
  #known: { text: string; variable: string }[] = []

  add(text: string, variable: string): void {
    if (text === '' || this.#known.some((known) => known.text === text)) return
    this.#known = [...this.#known, { text, variable }].sort((a, b) => b.text.length - a.text.length)
  }

  /** Adds the values of further headers whose names say that they carry a key. */
  addHeaders(headers: Record<string, string>): void {
    for (const [name, value] of Object.entries(headers))
      if (KEYS.test(name)) this.add(value, name.toUpperCase().replaceAll(/\W/g, '_'))
  }

  /** The text without secrets: a target may echo the token it was sent, a report must not. */
  redact(text: string): string {
    return this.#known.reduce(
      (safe, { text: secret, variable }) =>
        safe.replaceAll(secret, variable === TOKEN_VARIABLE ? '[token]' : `[${variable}]`),
      text,
    )
  }

  /** The secret in a header's value, if it holds one. */
  in(value: string): { text: string; variable: string } | undefined {
    return this.#known.find(({ text }) => value.includes(text))
  }
}
