import type { MockSession } from '../sessions/mock-session.ts'

/** The session that a request to a route below `/_mock/` is about. */
export type SessionOf = (request: Request) => MockSession
