import type { MockSession } from '../../sessions/mock-session.ts'

/**
 * The session that a request to a route below `/_mock/` is about. A request that changes something begins it, so call this once
 * its body is known to be valid. GET and HEAD do not.
 */
export type SessionOf = (request: Request) => MockSession
