import { listed } from './row-problems.ts'

/** Rows that cannot be put, changed or removed. The message names each problem and its remedy; nothing has changed. */
export class RowError extends Error {
  override readonly name = 'RowError'
}

/** @throws RowError if there are problems */
export function throwProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new RowError(listed(problems).join(' '))
}
