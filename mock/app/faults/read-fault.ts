import { validateFault } from '../../../schemas/generated/fault.ts'
import type { ValidationError } from '../../../schemas/validator.ts'
import { definitionOf, type Fault, FaultError, type FaultType, order, parametersOf } from './fault.ts'
import { isType, namesOf, readText, writeFault } from './text.ts'
import { wordsProblem } from './words.ts'

/** A fault before it is validated. */
interface Draft {
  /** As it was given. */
  readonly said: string
  readonly type: unknown
  readonly values: Readonly<Record<string, unknown>>
  /** Each parameter as it was given. */
  readonly quotes: ReadonlyMap<string, string>
  /** Writes a fault in the same notation. */
  readonly write: (fault: Fault) => string
  /** The names of parameters in the same notation. */
  readonly names: (type: FaultType) => readonly string[]
}

/**
 * A fault of `--fault`, `/_mock/faults` and options: the text `type:value,name=value,...` or an object.
 *
 * @example mock.faults([parseFault(process.env.FAULT ?? 'status:503,rate=0.2')])
 * @throws FaultError with a sentence that says what is wrong and what to write instead
 */
export function readFault(given: unknown): Fault {
  const draft = typeof given === 'string' ? draftOfText(given.trim()) : draftOfObject(given)
  const { said, type, values } = draft
  if (!isType(type)) {
    const unknown =
      type === undefined ? 'There is no fault without a type' : `There is no fault ${JSON.stringify(type)}`
    throw new FaultError(`${unknown}. The faults are: ${order.join(', ')}.`)
  }
  const fault = { type, ...values } as Fault
  const problem = validateFault(fault)
    ? beyondSchema(fault, draft)
    : sentenceOf(validateFault.errors![0]!, type, draft)
  if (problem !== undefined) throw new FaultError(`The fault ${said} ${problem}`)
  return fault
}

function draftOfText(text: string): Draft {
  const said = `"${text}"`
  const { type, parts } = readText(text)
  const twice = parts.find(({ name }, index) => parts.findIndex((other) => other.name === name) < index)
  if (twice) throw new FaultError(`The fault ${said} has ${twice.name || 'its value'} twice. Write it once.`)
  return {
    said,
    type,
    values: Object.assign({}, ...parts.map(({ values }) => values)) as Draft['values'],
    quotes: new Map(
      parts.flatMap(({ values, text }) => Object.keys(values).map((key) => [key, `"${text}"`])),
    ),
    write: writeFault,
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
  const members = Object.entries(all).filter(([, value]) => value !== undefined)
  return {
    said,
    type,
    values: Object.fromEntries(members),
    quotes: new Map(members.map(([key, value]) => [key, `"${key}": ${JSON.stringify(value)}`])),
    write: (fault) => JSON.stringify(fault),
    names: (type) => Object.keys(parametersOf(type)),
  }
}

/** What is wrong with a fault that does not match the schema. Its descriptions and examples are the remedy. */
function sentenceOf(error: ValidationError, type: FaultType, draft: Draft): string {
  const { instancePath, keyword, params } = error
  if (keyword === 'unevaluatedProperties') {
    const quote = draft.quotes.get(String(params['unevaluatedProperty']))
    return `has ${quote}, which ${type} does not take. It takes: ${draft.names(type).join(', ')}.`
  }
  if (keyword === 'not') {
    const pair = 'on' in draft.values && 'route' in draft.values ? 'on and route' : 'rate and every'
    return `has both ${pair}. Leave one of them out.`
  }
  const [, wrong] = instancePath.split('/')
  if (wrong !== undefined) return wrongValue(wrong, type, draft)
  const problem = params['passingSchemas'] ? 'contradicts itself' : 'is incomplete'
  return `${problem}. Write ${or(definitionOf(type).examples.map(draft.write))}.`
}

/** What is wrong with a fault that matches the schema: conditions that a schema can't express. */
function beyondSchema(fault: Fault, draft: Draft): string | undefined {
  if ('on' in fault) {
    const problem = wordsProblem(fault.on!)
    if (problem !== undefined) return `has ${draft.quotes.get('on')}. ${problem}`
  }
  if (fault.type !== 'latency') return undefined
  const { delayMs = 0, medianMs = 0, p99Ms = medianMs } = fault
  if (typeof delayMs !== 'number' && delayMs[0] > delayMs[1]) return wrongValue('delayMs', fault.type, draft)
  return p99Ms < medianMs ? wrongValue('p99Ms', fault.type, draft) : undefined
}

function wrongValue(key: string, type: FaultType, { quotes, write }: Draft): string {
  const { description, examples } = parametersOf(type)[key]!
  const whole = definitionOf(type).examples
  const example = whole.find((fault) => Object.hasOwn(fault, key)) ?? whole[0]
  const remedies = examples.map((value) => write({ ...example, [key]: value } as Fault))
  return `has ${quotes.get(key)}. Write ${or(remedies)}: ${description}.`
}

const or = (choices: readonly string[]): string =>
  choices.length === 1 ? choices[0]! : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
