/** A database cannot be used. The message names the remedy and contains no password. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
}

/** An option cannot be used. The message names the remedy and repeats nothing of the URL, which may be a password. */
export class DatabaseOptionError extends DatabaseError {
  override readonly name = 'DatabaseOptionError'
}
