/** Causes of the requests that failed, for a caller in the same process. */
const causes = new WeakMap<object, string>()

/** Remembers why a request failed. */
export const setCause = (request: object, cause: string): void => void causes.set(request, cause)

/** Why a request failed, in one line; undefined where it did not. */
export const causeOf = (request: object): string | undefined => causes.get(request)

/** An error and its causes in one line: `SqlError: column "x" does not exist`. */
export function causeText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const deeper = cause.cause === undefined ? '' : `; ${causeText(cause.cause)}`
  return `${cause.name}: ${cause.message}${deeper}`
}
