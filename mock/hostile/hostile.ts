/** What an entry of the corpus attacks with. */
export type HostileKind = 'sql' | 'lexer' | 'unicode' | 'json' | 'http' | 'auth' | 'resource' | 'socket'

/** A request as the client writes it. What is left out is what a proper client would send. */
export interface HostileRequest {
  readonly method?: string
  readonly path?: string
  /** Replace or add to the proper ones; null leaves a header out. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Text, or bytes where UTF-8 would not do. */
  readonly body?: string | Uint8Array
}

/** What goes over the wire: a statement in a proper request, a request, or bare bytes with pauses between them. */
export type HostileSend =
  | { readonly statement: string }
  | { readonly request: HostileRequest }
  | { readonly pieces: readonly string[]; readonly pauseMs: number; readonly hangUp?: true }

/** What has to come back. */
export interface Outcome {
  /** Status of the first answer; several where the platform may choose; none where the server may hang up. */
  readonly status: readonly number[]
  readonly state?: 'success' | 'error'
  /** `status.message` in whole, or the pattern it matches. */
  readonly message?: string | RegExp
  /** Number of answers on a bare socket, when it matters. */
  readonly answers?: number
  /** Largest body in bytes. */
  readonly maxBytes?: number
}

/** One attack: what is sent, what must happen, and why it is worth sending. */
export interface Hostile {
  readonly id: string
  readonly kind: HostileKind
  readonly send: HostileSend
  readonly must: Outcome
  readonly why: string
}

const error = (message: string | RegExp): Outcome => ({ status: [200], state: 'error', message })

/** The outcomes of statements (decisions/0023, rulings 2 to 5). */
export const outcome = {
  /** Refused or failed, and the caller is not told why. */
  refused: error('Error executing statement'),
  syntax: error(/^JSON decode error: ./),
  unknown: (relation: string) => error(`relation "${relation}" does not exist`),
  answered: { status: [200], state: 'success' },
  /** Refused, failed, cut off or answered: it may not hurt, and how it ends depends on memory and speed. */
  bounded: { status: [200, 503, 504], maxBytes: 512 << 20 },
  status: (...status: number[]): Outcome => ({ status, state: 'error' }),
} as const satisfies Record<string, Outcome | ((...args: never[]) => Outcome)>

/** Statements of one kind with one outcome, for one reason; ids are numbered below the group's name. */
export function statements(
  kind: HostileKind,
  group: string,
  must: Outcome,
  why: string,
  texts: readonly string[],
): Hostile[] {
  return texts.map((statement, index) => ({
    id: `${group}-${index + 1}`,
    kind,
    send: { statement },
    must,
    why,
  }))
}

/** Requests of one kind, each with its own outcome. */
export function requests(
  kind: HostileKind,
  why: string,
  entries: Readonly<Record<string, readonly [HostileRequest, Outcome]>>,
): Hostile[] {
  return Object.entries(entries).map(([id, [request, must]]) => ({ id, kind, send: { request }, must, why }))
}
