import { constants, brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Exchange, RecordedBody } from '../../client-conformance/index.ts'
import type { Part, RawExchange } from '../recorder.ts'

/** Most bytes of an unpacked body: a few kilobytes may unpack to gigabytes. */
const MOST_UNPACKED = 64 * 1024 * 1024

/** An exchange as the rules read it: headers by name, bodies as text. */
export function readExchange({ url, headers, body, isSent, answer, ...rest }: RawExchange): Exchange {
  const requestHeaders = headersOf(headers)
  return {
    ...rest,
    path: url.split('?')[0]!,
    headers: requestHeaders,
    body: textOf(body, requestHeaders['content-encoding'], isSent),
    ...(answer && {
      answer: {
        status: answer.status,
        headers: headersOf(answer.headers),
        body: textOf(answer.body, headersOf(answer.headers)['content-encoding'], true),
      },
    }),
  }
}

/** Headers by their names in lower case; repetitions are joined. */
export function headersOf(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase()
    headers[name] = name in headers ? `${headers[name]}, ${raw[at + 1]}` : raw[at + 1]!
  }
  return headers
}

/** @param isSent whether no more bytes were to come; those of a truncated answer are all that were sent */
function textOf({ bytes, total }: Part, encoding: string | undefined, isSent: boolean): RecordedBody {
  const unpacked = unpack(bytes, encoding)
  const isWhole = isSent && bytes.length === total && unpacked !== undefined
  return { text: new TextDecoder().decode(unpacked), isWhole }
}

/** The bytes without their encoding, also of a truncated body; undefined if they cannot be unpacked. */
function unpack(bytes: Uint8Array, encoding = 'identity'): Uint8Array | undefined {
  const limits = { maxOutputLength: MOST_UNPACKED, finishFlush: constants.Z_SYNC_FLUSH }
  try {
    switch (encoding.trim().toLowerCase()) {
      case 'identity':
      case '':
        return bytes
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(bytes, limits)
      case 'deflate':
        return inflateSync(bytes, limits)
      case 'br':
        return brotliDecompressSync(bytes, { maxOutputLength: MOST_UNPACKED })
      default:
        return undefined
    }
  } catch {
    return undefined
  }
}
