import { jsonProblem } from './json-problem.ts'
import { ControlError } from './session.ts'

/** A value as JSON; undefined is null. @throws ControlError that names the place of a value that JSON does not have */
export function jsonText(value: unknown): string {
  const problem = value === undefined ? undefined : jsonProblem(value)
  if (problem !== undefined) throw new ControlError(400, problem)
  return JSON.stringify(value ?? null)
}
