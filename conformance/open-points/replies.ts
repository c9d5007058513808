import { repliesWithoutToken } from '../samples/without-token.ts'
import { isObject, show } from '../connection/values/json.ts'
import type { Reply } from '../connection/http/reply.ts'
import type { Target } from '../connection/target.ts'

/** Recognises a status. */
export const hasStatus =
  (status: number) =>
  (reply: Pick<Reply, 'status'>): boolean =>
    reply.status === status

/** Recognises a status of a reply that does not serve. */
export const refusedWith =
  (status: number) =>
  (reply: Reply): boolean =>
    !reply.ok && reply.status === status

/** Recognises a failure inside an envelope, with status 200. */
export const failedInEnvelope = ({ ok, status, envelope }: Reply): boolean =>
  !ok && status === 200 && envelope !== undefined

/** The reply, or undefined where it serves. */
export const unlessServed = (reply: Reply | undefined): Reply | undefined => (reply?.ok ? undefined : reply)

/** The reply to one of the requests without a valid token that REQ-AUTH-2 sends; undefined where it serves. */
export async function refusalOf(t: Target, request: string): Promise<Reply | undefined> {
  const { token } = t.client
  if (token === null) return undefined
  const replies = await repliesWithoutToken(t, token)
  return unlessServed(replies.find(([to]) => to === request)?.[1])
}

/** The kind of a refusal's body in the words of the register; undefined for any other kind. */
export function bodyKind({ envelope, json, exchange }: Reply): string | undefined {
  const { headers, text } = exchange.response!
  const type = headers.get('content-type') ?? ''
  if (text.trim() === '') return 'empty'
  if (type.includes('problem+json')) return 'problem-json'
  if (envelope) return 'envelope'
  if (json === undefined)
    return /html/i.test(type) || /^\s*<(!doctype )?html/i.test(text) ? 'html' : undefined
  if (!isObject(json)) return undefined
  if ('detail' in json) return 'detail'
  if (isObject(json['error'])) return 'error-object'
  return 'message' in json ? 'message' : undefined
}

/** Recognises the kind of a refusal's body. */
export const hasBody =
  (kind: string) =>
  (reply: Reply): boolean =>
    bodyKind(reply) === kind

/** The kind of a refusal's body as a phrase. */
export const bodyInWords = (reply: Reply): string => bodyKind(reply) ?? 'another kind of body'

/** The message of a failure; undefined where there is none. */
export const failureMessage = ({ ok, message }: Reply): string | undefined =>
  ok || message === '' ? undefined : message

/** A message as a phrase. */
export const quoted = (message: string): string => show(message)

/** Recognises messages by their wording. The first wording that matches counts, in the order given. */
export function byWording<Variant extends string>(wordings: Readonly<Record<Variant, RegExp>>) {
  const all = Object.entries<RegExp>(wordings)
  const tests = all.map(([variant]) => [
    variant,
    (message: string) => all.find(([, wording]) => wording.test(message))?.[0] === variant,
  ])
  return Object.fromEntries(tests) as Record<Variant, (message: string) => boolean>
}
