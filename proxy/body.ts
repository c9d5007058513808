import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import type { RecordedBody } from '../client/conformance/index.ts'
import { jsonText } from '../base/text/json-text.ts'

/** Most bytes of the body of a request, and of any body when unpacked. Statements are small. */
export const MOST_BYTES = 16 * 1024 * 1024

/** The whole body of a request; undefined if it is too long or the client leaves. What is left is read and forgotten. */
export async function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > MOST_BYTES) return void incoming.resume()
      parts.push(part)
    }
    return Buffer.concat(parts)
  } catch {
    return undefined
  }
}

/**
 * A body as the rules read it. Bytes that contradict their Content-Encoding are an encoding problem of their sender.
 *
 * @param sent bytes that were sent @param kept the first of them @param codings the Content-Encoding
 */
export function recordedBody(kept: Uint8Array, sent: number, codings = ''): RecordedBody {
  if (!canUnpack(codings)) return { text: '', isWhole: false }
  const isWhole = kept.length === sent
  try {
    const bytes = listed(codings).reduceRight((packed, coding) => unpackers.get(coding)!(packed), kept)
    return { ...jsonText(bytes), isWhole }
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    if (!isWhole || isTooLarge) return { text: '', isWhole: false }
    return { text: '', isWhole, encodingProblem: `bytes that are not ${codings}, as Content-Encoding says` }
  }
}

/** As many as fetch takes. */
const MOST_CODINGS = 5

/** Whether the codings of a Content-Encoding are known here, and few. */
export const canUnpack = (codings = ''): boolean =>
  listed(codings).length <= MOST_CODINGS && listed(codings).every((coding) => unpackers.has(coding))

/** The codings in the order in which they were applied (RFC 9110, section 8.4). */
const listed = (codings: string): string[] =>
  codings.split(',').flatMap((coding) => coding.trim().toLowerCase() || [])

/** As fetch reads answers: as far as a truncated body goes. */
const [limits, limitsOfBrotli] = [constants.Z_SYNC_FLUSH, constants.BROTLI_OPERATION_FLUSH].map(
  (finishFlush) => ({ maxOutputLength: MOST_BYTES, finishFlush }),
)
const gunzip = (bytes: Uint8Array) => gunzipSync(bytes, limits)
const unpackers = new Map<string, (bytes: Uint8Array) => Uint8Array>([
  ['identity', (bytes) => bytes],
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  // some services send it without the wrapper, whose first byte ends in 8
  ['deflate', (bytes) => ((bytes[0]! & 15) === 8 ? inflateSync : inflateRawSync)(bytes, limits)],
  ['br', (bytes) => brotliDecompressSync(bytes, limitsOfBrotli)],
])
