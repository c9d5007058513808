import { readFileSync } from 'node:fs'

/** The target of an attack. */
export type HostileKind = 'sql' | 'lexer' | 'unicode' | 'json' | 'http' | 'auth' | 'resource' | 'socket'

/** A request as the client writes it. Whatever is left out is as in a valid request. */
export interface HostileRequest {
  readonly method?: string
  readonly path?: string
  /** Replace or add to the valid headers; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Text, or bytes that are not UTF-8. */
  readonly body?: string | Uint8Array
}

/** The bytes on the wire: a statement in a valid request, a request, or pieces of text with pauses between them. */
export type HostileSend =
  | { readonly statement: string }
  | { readonly request: HostileRequest }
  | { readonly pieces: readonly string[]; readonly pauseMs: number; readonly hangUp?: true }

/** The required answer. */
export interface Outcome {
  /** Permitted statuses of the first answer; none if the server may hang up. */
  readonly status: readonly number[]
  readonly state?: 'success' | 'error'
  /** `status.message`, or a pattern that it matches. */
  readonly message?: string | RegExp
  /** Number of answers on a socket. */
  readonly answers?: number
  /** Largest body in bytes. */
  readonly maxBytes?: number
}

/** One attack. */
export interface Hostile {
  readonly id: string
  readonly kind: HostileKind
  readonly send: HostileSend
  readonly must: Outcome
  /** Why the attack is worth sending. */
  readonly why: string
}

/** The token of the corpus. */
export const hostileToken = 'hostile-token'

/** A text in a file: whole, or in parts. In a repeated part, `{n}` counts from `from` and `{n-1}` is one less. */
type FileText =
  | string
  | readonly (
      | string
      | { readonly repeat: string; readonly times: number; readonly from?: number }
      | { readonly hex: string }
    )[]

type FileOutcome =
  | keyof typeof outcomes
  | { readonly unknown: FileText }
  | (Omit<Outcome, 'message'> & { readonly message?: string | { readonly pattern: string } })

interface FileCase {
  readonly must?: FileOutcome
  readonly method?: string
  readonly path?: FileText
  readonly headers?: Readonly<Record<string, FileText | null>>
  /** Number of generated headers. */
  readonly manyHeaders?: number
  readonly body?: FileText
  /** Texts for a socket; `characters` are sent one by one. */
  readonly pieces?: readonly (FileText | { readonly characters: string })[]
  readonly pauseMs?: number
  readonly hangUp?: true
}

/** Attacks of one kind for one reason. The ids of statements are numbered after the group's. */
interface FileGroup {
  readonly id?: string
  readonly kind: HostileKind
  readonly why: string
  /** The required answer of every case without one of its own. */
  readonly must?: FileOutcome
  readonly statements?: readonly (FileText | { readonly statement: FileText; readonly must: FileOutcome })[]
  readonly cases?: Readonly<Record<string, FileCase>>
}

const outcomes = {
  /** Refused or failed; the message does not say why. */
  refused: { status: [200], state: 'error', message: 'Error executing statement' },
  syntax: { status: [200], state: 'error', message: /^JSON decode error: ./ },
  answered: { status: [200], state: 'success' },
  /** Refused, failed, cut off or answered: the outcome depends on memory and speed. */
  bounded: { status: [200, 503, 504], maxBytes: 512 << 20 },
} as const satisfies Record<string, Outcome>

/** The attacks that the server has to withstand. */
export const corpus: readonly Hostile[] = ['sql', 'text', 'resource', 'requests', 'sockets'].flatMap((name) =>
  (JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8')) as FileGroup[]).flatMap(
    attacksIn,
  ),
)

function attacksIn({ id, kind, why, must, statements = [], cases = {} }: FileGroup): Hostile[] {
  const attack = (id: string, send: HostileSend, own: FileOutcome | undefined): Hostile => {
    const required = own ?? must
    if (required === undefined)
      throw new Error(`The case ${id} has no "must". Add one to it or to its group.`)
    return { id, kind, send, must: outcomeOf(required), why }
  }
  return [
    ...statements.map((entry, index) => {
      const [statement, own] = hasAnswer(entry) ? [entry.statement, entry.must] : [entry, undefined]
      return attack(`${id}-${index + 1}`, { statement: textOf(statement) }, own)
    }),
    ...Object.entries(cases).map(([id, entry]) => attack(id, sendOf(entry), entry.must)),
  ]
}

type OwnStatement = Exclude<NonNullable<FileGroup['statements']>[number], FileText>

function hasAnswer(entry: FileText | OwnStatement): entry is OwnStatement {
  return typeof entry === 'object' && 'statement' in entry
}

function outcomeOf(must: FileOutcome): Outcome {
  if (typeof must === 'string') return outcomes[must]
  if ('unknown' in must)
    return { status: [200], state: 'error', message: `relation "${textOf(must.unknown)}" does not exist` }
  const { message, ...rest } = must
  if (message === undefined) return rest
  return { ...rest, message: typeof message === 'string' ? message : new RegExp(message.pattern) }
}

function sendOf({ pieces, pauseMs = 0, hangUp, ...request }: FileCase): HostileSend {
  if (pieces)
    return {
      pieces: pieces.flatMap((piece) =>
        typeof piece === 'object' && 'characters' in piece ? [...piece.characters] : textOf(piece),
      ),
      pauseMs,
      ...(hangUp && { hangUp }),
    }
  const { method, path, headers, manyHeaders = 0, body } = request
  const all = [
    ...Object.entries(headers ?? {}).map(([name, value]) => [name, value === null ? null : textOf(value)]),
    ...Array.from({ length: manyHeaders }, (_, n) => [`x-${n}`, 'a']),
  ]
  return {
    request: {
      ...(method !== undefined && { method }),
      ...(path !== undefined && { path: textOf(path) }),
      ...(all.length > 0 && { headers: Object.fromEntries(all) as Record<string, string | null> }),
      ...(body !== undefined && { body: bodyOf(body) }),
    },
  }
}

function textOf(text: FileText): string {
  if (typeof text === 'string') return text
  return text
    .map((part) => {
      if (typeof part === 'string') return part
      if ('hex' in part) throw new Error('Only a body may hold bytes.')
      const { repeat, times, from } = part
      if (from === undefined) return repeat.repeat(times)
      return Array.from({ length: times }, (_, index) =>
        repeat.replaceAll('{n}', String(from + index)).replaceAll('{n-1}', String(from + index - 1)),
      ).join('')
    })
    .join('')
}

/** A body with bytes that are not UTF-8 is bytes, any other is text. */
function bodyOf(body: FileText): string | Uint8Array {
  if (typeof body === 'string' || !body.some((part) => typeof part === 'object' && 'hex' in part))
    return textOf(body)
  return Buffer.concat(
    body.map((part) =>
      typeof part === 'object' && 'hex' in part ? Buffer.from(part.hex, 'hex') : Buffer.from(textOf([part])),
    ),
  )
}
