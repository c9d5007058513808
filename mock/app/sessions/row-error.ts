/** Rows that cannot be put, changed or removed. The message names each problem and its remedy; nothing has changed. */
export class RowError extends Error {
  override readonly name = 'RowError'
}

/** Most problems that a message lists. */
const told = 20

/** @throws RowError if there are problems */
export function throwProblems(problems: readonly string[]): void {
  if (problems.length === 0) return
  const more = problems.length > told ? [`There are ${problems.length - told} more.`] : []
  throw new RowError([...problems.slice(0, told), ...more].join(' '))
}
