import { CommandError, EXIT } from '../exit.ts'

/**
 * Replaces `${NAME}` in every text of a config file by the environment variable NAME, so that the file holds no secret.
 *
 * @throws CommandError if a variable is not set
 */
export function expandVariables<T>(value: T, file: string, environment = process.env): T {
  if (typeof value === 'string')
    return value.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const text = environment[name]
      if (text !== undefined) return text
      throw new CommandError(
        `${file} reads the environment variable ${name}, which is not set. Set it, or write the value.`,
        EXIT.usage,
      )
    }) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, part]) => [key, expandVariables(part, file, environment)])
  return (Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries)) as T
}
