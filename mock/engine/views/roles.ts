/** The role of statements without rows of a session. It owns nothing and may only SELECT from the nine views. */
export const readerRole = 'reader'

/** What every role of statements may use: functions and types, but no view. */
export const readersRole = 'readers'

/** What the role of each session with rows of its own may use. */
export const sessionsRole = 'sessions'

/** The schema of the nine views as sessions with rows of their own see them, in a snapshot. */
export const sharedSchema = 'shared_views'

/** A name that no statement guesses. */
export const unguessable = (prefix: string): string =>
  `${prefix}_${crypto.getRandomValues(new BigUint64Array(2)).join('_')}`

/** The name of that schema in the engines of this thread. */
export const hiddenSchema = unguessable('shared')
