import { type Fault, FaultError } from './fault.ts'
import { patternText } from './pattern.ts'
import { order, shared, terms, type Term } from './terms.ts'

type Values = Record<string, unknown>

/**
 * A fault as `--fault`, `/_mock/faults` and options give it: `type:value,name=value,...` or its object.
 *
 * @throws FaultError with a sentence that says what is wrong and what is possible
 */
export function readFault(given: unknown): Fault {
  if (typeof given === 'string') return parse(given.trim())
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new FaultError(
      `${JSON.stringify(given)} is no fault. Write it as "status:503,rate=0.2" or as { "type": "status", "status": 503, "rate": 0.2 }.`,
    )
  const { type, ...values } = given as Values
  const said = JSON.stringify(given)
  if (values['on'] instanceof RegExp) values['on'] = patternText(values['on'])
  const known = termsOf(type)
  const keys = known.flatMap((term) => term.keys)
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) delete values[key]
    else if (!keys.includes(key)) throw new FaultError(noParameter(said, key, type as string, keys))
  }
  for (const { keys, value } of known) {
    const present = keys.filter((key) => key in values)
    const held = keys.length === 1 ? values[keys[0]] : keys.map((key) => values[key])
    if (present.length > 0 && !value.accepts(held))
      throw new FaultError(
        `The fault ${said} has the ${present[0]} ${JSON.stringify(values[present[0]!])}. As text, write ${value.expects}.`,
      )
  }
  return together({ type, ...values } as Fault, said)
}

/** A fault as text. What {@link readFault} makes of it is the fault again. */
export function writeFault(fault: Fault): string {
  const values = fault as unknown as Values
  const parts = terms[fault.type].flatMap((term) => {
    const { name, keys, value } = term
    if (values[keys[0]] === undefined) return []
    const text = value.write(keys.length === 1 ? values[keys[0]] : keys.map((key) => values[key]))
    return { text: name === '' ? text : `${name}=${text}`, isOwn: !shared.includes(term) }
  })
  const head = parts[0]?.isOwn ? `${fault.type}:` : `${fault.type},`
  return parts.length === 0 ? fault.type : head + parts.map(({ text }) => text).join(',')
}

/** A regular expression may hold what else ends a part. */
const part = /\s*(?:([\w-]+)\s*=\s*)?(\/(?:\\.|[^/\\])+\/[a-z]*(?=\s*(?:,|$))|[^,]*)(?:,|$)/gy

function parse(text: string): Fault {
  const [, type = '', rest = ''] = /^([\w-]*)\s*[:,]?(.*)$/s.exec(text) ?? []
  const known = termsOf(type)
  const said = `"${text}"`
  const values: Values = {}
  for (const [, name = '', value = ''] of rest === '' ? [] : rest.matchAll(part)) {
    if (name === '' && value === '') continue
    const term = known.find((term) => term.name === name)
    if (!term) throw new FaultError(noParameter(said, name || value.trim(), type, known.map(spelled)))
    const read = term.value.read(value.trim())
    if (read === undefined)
      throw new FaultError(
        `The fault ${said} has "${name && `${name}=`}${value.trim()}". Write ${term.value.expects}.`,
      )
    if (term.keys[0] in values)
      throw new FaultError(`The fault ${said} has ${name || 'its value'} twice. Write it once.`)
    if (term.keys.length === 1) values[term.keys[0]] = read
    else Object.assign(values, Object.fromEntries(term.keys.map((key, n) => [key, (read as unknown[])[n]])))
  }
  return together({ type, ...values } as Fault, said)
}

function termsOf(type: unknown): readonly Term[] {
  if (typeof type === 'string' && Object.hasOwn(terms, type)) return terms[type as Fault['type']]
  throw new FaultError(
    `There is no fault ${JSON.stringify(type) ?? 'without a type'}. The faults are: ${order.join(', ')}.`,
  )
}

const spelled = ({ name }: Term) => (name === '' ? 'a value behind the colon' : `${name}=`)

const noParameter = (said: string, name: string, type: string, names: readonly string[]) =>
  `The fault ${said} has "${name}", which ${type} does not take. It takes: ${names.join(', ')}.`

/** What the parameters have to be together. */
function together(fault: Fault, said: string): Fault {
  const wrong = contradiction(fault)
  if (wrong !== undefined) throw new FaultError(`The fault ${said} ${wrong}`)
  return fault
}

function contradiction(fault: Fault): string | undefined {
  const { on, route, rate, every } = fault as unknown as Values
  if (on !== undefined && route !== undefined)
    return 'is for statements (on) and for a route. Leave one of them out.'
  if (rate !== undefined && every !== undefined)
    return 'has a probability (rate) and strikes every n-th. Leave one of them out.'
  switch (fault.type) {
    case 'latency': {
      const { delayMs, medianMs, p99Ms } = fault
      const isLogNormal = delayMs === undefined && medianMs !== undefined && p99Ms !== undefined
      if (!isLogNormal && (delayMs === undefined || medianMs !== undefined || p99Ms !== undefined))
        return 'says not how late. Write latency:200ms, latency:50ms-400ms or latency:median=120ms,p99=900ms.'
      if (isLogNormal && !(medianMs > 0 && p99Ms >= medianMs))
        return 'has a median that is 0 or above the p99. Write for instance latency:median=120ms,p99=900ms.'
      return undefined
    }
    case 'status':
      return fault.status === undefined ? 'has no status. Write for instance status:503.' : undefined
    case 'truncate':
      return fault.bytes === undefined
        ? 'says not after how many bytes. Write for instance truncate:1000.'
        : undefined
    case 'drip':
      return fault.bytesPerSecond === undefined
        ? 'says not how slowly. Write for instance drip:1KB/s.'
        : undefined
    case 'limit':
      return fault.requests === undefined
        ? 'says not how many pass. Write for instance limit:10/s.'
        : undefined
    case 'expire':
      return [fault.after, fault.lifetimeMs, fault.at].filter((when) => when !== undefined).length === 1
        ? undefined
        : 'has to say once when: expire:after=20 (requests), expire:lifetime=10m or expire:at=2026-01-01T00:00:00Z.'
    case 'reset':
    case 'timeout':
      return undefined
  }
}
