/** Options that shorten a run; its verdict is then incomplete. */
export const fewChecks = { BIOPROCESS_SQL_ONLY: 'http.*', BIOPROCESS_SQL_ALLOW_INCOMPLETE: 'true' }

/** The image listens for other machines; tests listen on loopback only, on any port. */
export const onLoopback = { BIOPROCESS_SQL_LISTEN: '127.0.0.1:0' }
