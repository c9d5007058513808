import { createHash } from 'node:crypto'
import { contract } from '../../../schemas/contract.ts'
import { CommandError, EXIT } from '../../exit.ts'
import { type Recorded, recorded } from './exchange.ts'
import { type Reader, refusal } from './har.ts'

const endpoint = contract.endpoint.path.replace(/\/$/, '')

/**
 * The exchanges with one service in a HAR file, each once, and what all other entries are.
 *
 * @param baseUrl names the service. Default: the only one whose endpoint is in the file
 * @throws CommandError if the file has several services, or is not HAR 1.2
 */
export function select(read: Reader, baseUrl?: string) {
  const requests = [...read('log.entries', 'array').keys()].map((index) => {
    const entry = read(`log.entries[${index}]`, 'object')
    const { method } = read(`log.entries[${index}].request`, 'object')
    const url = read(`log.entries[${index}].request.url`, 'string')
    if (!URL.canParse(url)) throw refusal(`log.entries[${index}].request.url is not an absolute URL`)
    const { origin, pathname, protocol } = new URL(url)
    // data: URLs have no origin, and their path is the data
    const address = origin === 'null' ? protocol : origin + pathname.replace(/\/$/, '')
    const isStatement = address.endsWith(endpoint) && !/^(OPTIONS|HEAD)$/i.test(String(method))
    const service = isStatement ? address.slice(0, -endpoint.length) : undefined
    return { entry, name: `${String(method)} ${address}`, service }
  })
  const services = new Set(requests.flatMap(({ service }) => service ?? []))
  if (baseUrl === undefined && services.size > 1) {
    const names = [...services].join(', ')
    throw new CommandError(`The file has several services: ${names}. Name one with --base-url.`, EXIT.usage)
  }
  const [wanted] = baseUrl === undefined ? services : [baseUrl]
  const exchanges = new Map<string, Recorded>()
  const others: string[] = []
  for (const [index, { entry, name, service }] of requests.entries()) {
    if (service === undefined || service !== wanted) others.push(name)
    else exchanges.set(digestOf(entry), recorded(read, index))
  }
  return { exchanges: [...exchanges.values()], others }
}

const digestOf = (entry: object): string => createHash('sha256').update(JSON.stringify(entry)).digest('hex')
