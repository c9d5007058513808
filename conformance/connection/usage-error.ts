/**
 * An invalid option or file. The message names the remedy; the command exits with code 2.
 * @example if (error instanceof UsageError) console.error(error.message)
 */
export class UsageError extends Error {
  override name = 'UsageError'
}
