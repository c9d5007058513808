/** An invalid option or file. The command exits with code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}
