import type { Check } from '../checks/check.ts'
import { UsageError } from '../connection/usage-error.ts'

export interface SelectedChecks {
  selected: Check[]
  /** Requirements with a check that is not selected. */
  leftOut: Set<string>
}

/**
 * Selects checks by the patterns of `--only` and `--skip`. A pattern is a check id, a requirement id, or a prefix of
 * either that ends in `*`. A requirement id without a view selects the whole family.
 *
 * @throws UsageError when a pattern matches no check, or no check is left
 */
export function selectChecks(checks: readonly Check[], only: string[], skip: string[]): SelectedChecks {
  for (const pattern of [...only, ...skip]) {
    if (!checks.some((check) => matches(check, pattern)))
      throw new UsageError(
        `No check matches "${pattern}". List the ids with: bioprocess-sql conformance --list`,
      )
  }
  const selected = checks.filter(
    (check) =>
      (only.length === 0 || only.some((pattern) => matches(check, pattern))) &&
      !skip.some((pattern) => matches(check, pattern)),
  )
  if (selected.length === 0) throw new UsageError('--only and --skip exclude every check. Remove a pattern.')
  const leftOut = checks.filter((check) => !selected.includes(check)).map((check) => check.requirement)
  return { selected, leftOut: new Set(leftOut) }
}

function matches({ id, requirement }: Check, pattern: string): boolean {
  if (pattern.endsWith('*')) {
    const prefix = pattern.slice(0, -1)
    return id.startsWith(prefix) || requirement.startsWith(prefix)
  }
  return id === pattern || requirement === pattern || requirement.startsWith(`${pattern}:v_`)
}
