import { isJson, jsonText } from '../../../base/text/json-text.ts'
import type { Exchange, RecordedBody } from '../../../client/conformance/index.ts'
import { contract } from '../../../schemas/contract.ts'
import type { Reader } from './har.ts'

/** An entry of a HAR file as the rules read it. */
export interface Recorded extends Exchange {
  /** Of the entry. */
  readonly index: number
  /** What tells its client from others: the token, or without one the connection. */
  readonly client: string
}

/** Failures of a client that left, as browsers and mitmproxy write them. Others are of the service. */
const LEFT = /ERR_ABORTED|BINDING_ABORTED|cancel|client disconnected/i

/** Reads an entry of the endpoint. Without a time it ends at `Infinity`, and nothing follows it. */
export function recorded(read: Reader, index: number): Recorded {
  const { startedDateTime, time, connection } = read(`log.entries[${index}]`, 'object')
  const [request, headers] = message(read, `log.entries[${index}].request`)
  const [response, answered] = message(read, `log.entries[${index}].response`)
  const status = read(`log.entries[${index}].response.status`, 'number')
  const startedMs = Date.parse(String(startedDateTime))
  // starts are rounded down, so a request that follows at once may begin before an exact end
  const endedMs = Math.floor(startedMs + (isSize(time) ? time : Number.NaN)) || Infinity
  // Playwright writes _failureText, and -1 as the status without an answer; others _error and 0
  const failure = String(response['_error'] ?? response['_failureText'] ?? '')
  const body = bodyOf(response['content'], answered, response['bodySize'])
  // mitmproxy writes an answer that broke off as an empty one
  const isLost = status < 300 && body.text === '' && answered['content-length'] !== '0'
  const broken = status > 0 ? 'truncated' : 'reset'
  return {
    index,
    client: JSON.stringify([headers['authorization'] ?? connection, headers['user-agent']]),
    startedMs,
    endedMs,
    method: read(`log.entries[${index}].request.method`, 'string').toUpperCase(),
    path: contract.endpoint.path,
    headers,
    body: bodyOf(request['postData'], headers, request['bodySize']),
    ...(status > 0 && { answer: { status, headers: answered, body } }),
    ending: LEFT.test(failure) ? 'aborted' : failure || isLost ? broken : 'complete',
  }
}

/** A message and its headers by their names in lower case, without those of HTTP/2, such as `:method`. */
function message(read: Reader, path: string) {
  const value = read(path, 'object')
  const headers = new Headers()
  for (const index of read(`${path}.headers`, 'array').keys()) {
    const header = read(`${path}.headers[${index}]`, 'object')
    const name = read(`${path}.headers[${index}].name`, 'string')
    // Chrome joins repetitions with line breaks, which Headers refuses
    const text = String(header['value'] ?? '').replaceAll(/[^\t -~\u0080-\u00ff]/g, ' ')
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) headers.append(name, text)
  }
  return [value, Object.fromEntries(headers) as Record<string, string>] as const
}

const isSize = (value: unknown): value is number => typeof value === 'number' && value >= 0

/**
 * A body as the rules read it. It is whole if it has a size that the file states. Sizes may be missing, or those of compressed
 * bytes, so a JSON document is whole too, unless a size is larger. Browsers leave out a byte order mark, which Content-Length counts.
 *
 * @param content `postData` or `content`
 * @param sent the bytes on the wire
 */
function bodyOf(content: unknown, headers: Record<string, string>, sent: unknown): RecordedBody {
  const { text, encoding, size, compression } = Object(content) as Record<string, unknown>
  const isBase64 = encoding === 'base64'
  const bytes = Buffer.from(typeof text === 'string' ? text : '', isBase64 ? 'base64' : 'utf8')
  const sizes = [Number(headers['content-length'] ?? Number.NaN), size, sent].filter(isSize)
  if (bytes.length === 0) return { text: '', isWhole: sizes[0] === 0 }
  const body = jsonText(bytes)
  // mitmproxy writes the compressed size as that of the content
  const unpacked = Number(sent) + Number(compression)
  const isStated = [...sizes, unpacked].includes(bytes.length)
  const isEncoded = 'content-encoding' in headers
  const longest = Math.max(Number(size ?? 0), isEncoded ? 0 : Number(headers['content-length'] ?? 0))
  const isCut = longest > bytes.length && unpacked !== bytes.length
  // a recorder may have kept encoded bytes as they are
  return { ...body, isWhole: !isCut && (isJson(body.text) || (isStated && !(isBase64 && isEncoded))) }
}
