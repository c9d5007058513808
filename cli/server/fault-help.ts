import { choosing, definitionOf, order, parametersOf } from '../../mock/app/faults/fault.ts'
import { nameOf, writeFault, writeValue } from '../../mock/app/faults/text.ts'

/** The help for `--fault`: the descriptions and examples of schemas/fault.schema.json. */
export function faultHelp(): string {
  const faults = order.map((type) => {
    const { description, examples } = definitionOf(type)
    return `    ${examples.map(writeFault).join(' | ')}\n        ${description}`
  })
  return `
Faults:
  --fault TYPE[:VALUE][,NAME=VALUE]...    applied in this order; one that answers a request ends it:
${faults.join('\n')}
  Further values:
${order.flatMap((type) => parameters(type, (key) => !choosing.includes(key))).join('\n')}
  Which requests (limit takes on and route only, timeout no route, expire none):
${parameters('reset', (key) => choosing.includes(key)).join('\n')}
  The same --seed and order of requests reproduce the same faults. PUT, POST and DELETE /_mock/faults change them,
  GET counts how often each was triggered.`
}

/** One line per parameter. */
const parameters = (type: (typeof order)[number], isWanted: (key: string) => boolean): string[] =>
  Object.entries(parametersOf(type))
    .filter(([key]) => isWanted(key) && nameOf(type, key) !== '' && key !== 'windowMs')
    .map(([key, { description, examples }]) => {
      const written = examples.map((example) => `${nameOf(type, key)}=${writeValue(key, example)}`)
      return `    ${written.join(' | ').padEnd(42)} ${description}`
    })
