/** The type of each option of a function, or several as `string | function`. */
export type OptionTypes<Options> = Readonly<Record<keyof Options & string, string>>

/**
 * Refuses an option that does not exist, and a value of another type. An option that is undefined is one that is not given.
 *
 * @example
 * checkOptions({ prot: 1 }, { port: 'number' }, TypeError) // There is no option "prot". The options are: port.
 * @throws Refused with a sentence that names the remedy
 */
export function checkOptions(
  given: unknown,
  types: Readonly<Record<string, string>>,
  Refused: new (message: string) => Error,
): void {
  const names = Object.keys(types).join(', ')
  if (typeOf(given) !== 'object')
    throw new Refused(`The options are of the type ${typeOf(given)}. Give an object with: ${names}.`)
  const options = Object.entries(given as object).filter(([, value]) => value !== undefined)
  const unknown = options.filter(([name]) => !Object.hasOwn(types, name))
  if (unknown.length > 0)
    throw new Refused(
      `There is no option ${unknown.map(([name]) => `"${name}"`).join(', ')}. The options are: ${names}.`,
    )
  for (const [name, value] of options)
    if (!types[name]!.split(' | ').includes(typeOf(value)))
      throw new Refused(`The option ${name} is of the type ${typeOf(value)}. Give: ${types[name]}.`)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
