/** The role of statements without rows of a session. It owns nothing and may only SELECT from the nine views. */
export const readerRole = 'reader'

/** What every role of statements may use: functions and types, but no view. */
export const readersRole = 'readers'

/** What the role of each session with rows of its own may use. */
export const sessionsRole = 'sessions'

/** The schema of the nine views as sessions with rows of their own see them. */
export const sharedSchema = 'shared_views'
