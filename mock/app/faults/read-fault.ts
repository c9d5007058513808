import { validateFault } from '../../../schemas/generated/fault.ts'
import type { ValidationError } from '../../../schemas/validator.ts'
import { definitionOf, type FaultData, FaultError, order, parametersOf } from './fault.ts'
import { patternProblem, patternText } from './pattern.ts'
import { nameOf, namesOf, readText, writeFault, writeValue } from './shorthand.ts'

type Type = FaultData['type']

/** A fault before it is validated, and how its messages quote it. */
interface Draft {
  /** The fault as it was given. */
  readonly said: string
  readonly type: unknown
  readonly values: Readonly<Record<string, unknown>>
  /** A parameter as it was given. */
  quote(key: string): string
  /** The name of a parameter as it was given. */
  quoteName(key: string): string
  /** A parameter as it can be given. */
  write(type: Type, key: string, value: unknown): string
  writeWhole(fault: FaultData): string
  /** The parameters that a type takes. */
  names(type: Type): readonly string[]
}

/**
 * A fault of `--fault`, `/_mock/faults` and options: the text `type:value,name=value,...` or an object.
 *
 * @throws FaultError with a sentence that says what is wrong and what to write instead
 */
export function readFault(given: unknown): FaultData {
  const draft = typeof given === 'string' ? draftOfText(given.trim()) : draftOfObject(given)
  const { said, type, values } = draft
  if (!isType(type)) {
    const unknown =
      type === undefined ? 'There is no fault without a type' : `There is no fault ${JSON.stringify(type)}`
    throw new FaultError(`${unknown}. The faults are: ${order.join(', ')}.`)
  }
  const fault = { type, ...values } as FaultData
  const problem = validateFault(fault)
    ? beyondSchema(fault, draft)
    : sentenceOf(validateFault.errors![0]!, type, draft)
  if (problem !== undefined) throw new FaultError(`The fault ${said} ${problem}`)
  return fault
}

const isType = (type: unknown): type is Type => order.includes(type as Type)

function draftOfText(text: string): Draft {
  const said = `"${text}"`
  const { type, parts } = readText(text, isType)
  const twice = parts.find(({ key }, index) => parts.findIndex((other) => other.key === key) < index)
  if (twice) throw new FaultError(`The fault ${said} has ${twice.name || 'its value'} twice. Write it once.`)
  const partOf = (key: string) => parts.find((part) => Object.hasOwn(part.values, key))!
  return {
    said,
    type,
    values: Object.fromEntries(parts.flatMap(({ values }) => Object.entries(values))),
    quote: (key) => `"${partOf(key).text}"`,
    quoteName: (key) => `"${partOf(key).name || partOf(key).text}"`,
    write: (type, key, value) => {
      const name = nameOf(type, key)
      return name === '' ? `${type}:${writeValue(key, value)}` : `${name}=${writeValue(key, value)}`
    },
    writeWhole: writeFault,
    names: (type) =>
      [...namesOf(type).keys()].map((name) => (name === '' ? 'a value after the colon' : `${name}=`)),
  }
}

function draftOfObject(given: unknown): Draft {
  const said = JSON.stringify(given)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new FaultError(
      `${said} is not a fault. Write it as "status:503,rate=0.2" or as { "type": "status", "status": 503, "rate": 0.2 }.`,
    )
  const { type, ...all } = given as Record<string, unknown>
  const values = Object.fromEntries(
    Object.entries(all)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, value instanceof RegExp ? patternText(value) : value]),
  )
  return {
    said,
    type,
    values,
    quote: (key) => member(key, values[key]),
    quoteName: (key) => JSON.stringify(key),
    write: (_, key, value) => member(key, value),
    writeWhole: (fault) => JSON.stringify(fault),
    names: (type) => Object.keys(parametersOf(type)),
  }
}

const member = (key: string, value: unknown) => `"${key}": ${JSON.stringify(value)}`

/** What is wrong with a fault that does not match the schema. Its descriptions and examples are the remedy. */
function sentenceOf(error: ValidationError, type: Type, draft: Draft): string {
  const { instancePath, keyword, params } = error
  if (keyword === 'unevaluatedProperties') {
    const key = String(params['unevaluatedProperty'])
    return `has ${draft.quoteName(key)}, which ${type} does not take. It takes: ${draft.names(type).join(', ')}.`
  }
  if (keyword === 'not') {
    const pair = 'on' in draft.values && 'route' in draft.values ? 'on and route' : 'rate and every'
    return `has both ${pair}. Leave one of them out.`
  }
  const [, wrong] = instancePath.split('/')
  if (wrong !== undefined) return wrongValue(wrong, type, draft)
  const problem = params['passingSchemas'] ? 'contradicts itself' : 'is incomplete'
  return `${problem}. Write ${or(definitionOf(type).examples.map(draft.writeWhole))}.`
}

/** What is wrong with a fault that matches the schema: conditions that a schema can't express. */
function beyondSchema(fault: FaultData, draft: Draft): string | undefined {
  const { type } = fault
  const problem = 'on' in fault && fault.on !== undefined ? patternProblem(fault.on) : undefined
  if (problem !== undefined) return `has ${draft.quote('on')}. ${problem}`
  if (type !== 'latency') return undefined
  const { delayMs = 0 } = fault
  if (typeof delayMs !== 'number' && delayMs[0] > delayMs[1]) return wrongValue('delayMs', type, draft)
  return fault.medianMs !== undefined && fault.p99Ms! < fault.medianMs
    ? wrongValue('p99Ms', type, draft)
    : undefined
}

const wrongValue = (key: string, type: Type, draft: Draft): string =>
  `has ${draft.quote(key)}. ${remedy(key, type, draft)}`

function remedy(key: string, type: Type, draft: Draft): string {
  const { description, examples } = parametersOf(type)[key]!
  const written =
    key === 'requests' || key === 'windowMs'
      ? definitionOf(type).examples.map(draft.writeWhole)
      : examples.map((example) => draft.write(type, key, example))
  return `Write ${or(written)}: ${description}.`
}

const or = (choices: readonly string[]): string =>
  choices.length === 1 ? choices[0]! : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
