import { implement } from '../implement.ts'

/** The answer to a request for the path without its last slash. */
export interface NoSlashAnswer {
  readonly status: number
  /** Whether the answer names the path with the slash. */
  readonly redirects: boolean
}

/** undefined: the path without the slash is served too. */
export const noSlashAnswer = implement<'http.no-slash', NoSlashAnswer | undefined>('http.no-slash', {
  404: { status: 404, redirects: false },
  200: undefined,
  307: { status: 307, redirects: true },
  301: { status: 301, redirects: true },
})
