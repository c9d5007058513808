/** The type of each option of a function, or several as `string | function`; a text in quotes permits itself: `"a" | "b"`. */
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
  for (const [name, value] of options) {
    const permitted = types[name]!.split(' | ')
    const text = typeof value === 'string' ? JSON.stringify(value) : undefined
    if (permitted.includes(typeOf(value)) || permitted.includes(text!)) continue
    const found = text !== undefined && types[name]!.startsWith('"') ? text : `of the type ${typeOf(value)}`
    throw new Refused(`The option ${name} is ${found}. Give: ${types[name]}.`)
  }
}

/** The members of servers, mocks, sessions, targets and the services of `runHabits`. */
const MEMBERS = new Set(
  `answer baseUrl clock close configure end expectNoRequest faults fetch forgetRequests habit handlers headers id once ready
  renewToken replaceData requests reset rows session signal stub token use waitForRequest`.split(/\s+/),
)

/**
 * {@link checkOptions} for a function that uses a service: `createClient(server)`. Servers, sessions and targets may be given whole,
 * so their other members are no mistakes.
 */
export const checkServiceOptions: typeof checkOptions = (given, types, Refused) => {
  const isMember = ([name]: [string, unknown]) => !Object.hasOwn(types, name) && MEMBERS.has(name)
  checkOptions(
    typeOf(given) === 'object'
      ? Object.fromEntries(Object.entries(given as object).filter((entry) => !isMember(entry)))
      : given,
    types,
    Refused,
  )
}

/** `typeof`, but `array`, `null` and the name of a class of the platform: a `Map` or a `Date` is no object with options. */
function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return typeof value !== 'object' || ['Object', 'Module'].includes(name) ? typeof value : name
}
