/** A database cannot be used. The message names the remedy and contains no password. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
}
