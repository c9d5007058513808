import type { Validator } from '../../schemas/index.ts'

/** The first schema error of a value, as text; undefined if it is valid. */
export function firstError(validate: Validator, value: unknown): string | undefined {
  if (validate(value)) return undefined
  const [error] = validate.errors ?? []
  const where = error?.instancePath ? `${error.instancePath.slice(1).replaceAll('/', '.')} ` : ''
  return `${where}${error?.message ?? 'does not match the schema'}`
}
