import { redacted, secretHeader, secretOf } from '../../base/text/secret.ts'

/** Replaces the token and the secret headers of a request in a text of the service. */
export function redactorOf(
  token: string,
  headers: Readonly<Record<string, string>>,
): (text: string) => string {
  const values = Object.entries(headers).flatMap(([name, value]) => (secretHeader.test(name) ? value : []))
  // longest first, because one may be part of another
  const known = [token, ...values].filter(Boolean).toSorted((one, other) => other.length - one.length)
  return (text) => known.reduce((safe, secret) => redacted(safe, secretOf(secret), '[redacted]'), text)
}
