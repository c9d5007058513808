/** Secrets of at least this many characters are redacted inside words too; a shorter one may be part of any word. */
export const LONG = 6

/** Names of headers whose value is a secret. */
export const secretHeader = /auth|cookie|credential|key|pass|secret|session|signature|token/i

/** A text that must not be shown, in the forms in which a service may repeat it. */
export interface Secret {
  readonly text: string
  /** The text and its JSON-escaped and percent-encoded forms, and of a long one base64; the longest first. */
  readonly forms: readonly string[]
}

export function secretOf(text: string): Secret {
  const plain = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)]
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(text)))
  const forms = new Set(text.length < LONG ? plain : [...plain, base64])
  return { text, forms: [...forms].toSorted((a, b) => b.length - a.length) }
}

/**
 * A text of a service without a secret: without a long one anywhere, or without a short one as a whole word that names no
 * JSON member.
 *
 * @example redacted('no token abc-123', secretOf('abc-123'), '[token]') // 'no token [token]'
 */
export function redacted(text: string, secret: Secret, placeholder: string): string {
  const { forms } = secret
  if (secret.text.length >= LONG)
    return forms.reduce((rest, form) => rest.replaceAll(form, placeholder), text)
  const either = forms.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  const asWord = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${either})(?![\\p{L}\\p{N}_]|"\\s*:)`, 'gu')
  return text.replaceAll(asWord, placeholder)
}
