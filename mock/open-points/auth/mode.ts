import { implement } from '../implement.ts'

/** The grant by which the server's own identity provider issues tokens. */
export interface Grant {
  /** `grant_type` of a token request (RFC 6749, 4.1.3 and 4.4.2). */
  readonly type: 'client_credentials' | 'authorization_code'
  /** Whether a client fetches a code from `/_mock/authorize` first. */
  readonly needsCode: boolean
}

/** The grant of the server's own identity provider; undefined: it issues no tokens. */
export const authGrant = implement<'auth.mode', Grant | undefined>('auth.mode', {
  static: undefined,
  'client-credentials': { type: 'client_credentials', needsCode: false },
  'authorization-code': { type: 'authorization_code', needsCode: true },
})
