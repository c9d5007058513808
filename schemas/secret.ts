/** Secrets of at least this many characters are redacted inside words too; a shorter one may be part of any word. */
export const LONG = 6

/** Names of headers whose value is a secret. */
export const secretHeader = /auth|cookie|credential|key|pass|secret|session|signature|token/i

/** A text that must not be shown, in the forms in which a service may repeat it. */
export interface Secret {
  readonly text: string
  /** The text and its JSON-escaped, percent-encoded and base64 forms. */
  readonly forms: readonly string[]
  /** Matches the secret as a whole word, except as the name of a JSON member. */
  readonly asWord: RegExp
}

export function secretOf(text: string): Secret {
  const escaped = JSON.stringify(text).slice(1, -1)
  const plain = [...new Set([text, escaped, encodeURIComponent(text)])]
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(text)))
  const forms = [...plain, base64].toSorted((a, b) => b.length - a.length)
  const either = plain.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  return {
    text,
    forms,
    asWord: new RegExp(`(?<![\\p{L}\\p{N}_])(?:${either})(?![\\p{L}\\p{N}_]|"\\s*:)`, 'gu'),
  }
}

/**
 * A text of a service without a secret: without a long one in any form, or without a short one as a whole word.
 *
 * @example redacted('no token abc-123', secretOf('abc-123'), '[token]') // 'no token [token]'
 */
export const redacted = (text: string, secret: Secret, placeholder: string): string =>
  secret.text.length < LONG
    ? text.replaceAll(secret.asWord, placeholder)
    : secret.forms.reduce((rest, form) => rest.replaceAll(form, placeholder), text)
