/** An option or a file of the user that the suite cannot use: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}
