import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import type { RecordedBody } from '../client/conformance/index.ts'
import { jsonText } from '../base/text/json-text.ts'

/** Most bytes of the body of a request, and of any body when unpacked: 16 MiB. Statements are small. */
const MOST_BYTES = 16 * 1024 * 1024

/** The whole body of a request; undefined if it is too long. What is left is read and forgotten. Rejects if the client leaves. */
export async function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MOST_BYTES) return void incoming.resume()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The readers of each Content-Encoding. Like fetch, they read a truncated body as far as it goes, but for br. */
const limits = { maxOutputLength: MOST_BYTES, finishFlush: constants.Z_SYNC_FLUSH }
const unpackers = new Map<string, (bytes: Uint8Array) => Uint8Array>([
  ['', (bytes) => bytes],
  ['identity', (bytes) => bytes],
  ['gzip', (bytes) => gunzipSync(bytes, limits)],
  ['x-gzip', (bytes) => gunzipSync(bytes, limits)],
  // some services send it without the wrapper, whose first byte ends in 8
  ['deflate', (bytes) => ((bytes[0]! & 15) === 8 ? inflateSync : inflateRawSync)(bytes, limits)],
  ['br', (bytes) => brotliDecompressSync(bytes, { maxOutputLength: MOST_BYTES })],
])

const unpackerOf = (coding = '') => unpackers.get(coding.trim().toLowerCase())

/** Whether a Content-Encoding is known here. */
export const canUnpack = (coding?: string): boolean => unpackerOf(coding) !== undefined

/**
 * A body as the rules read it. Bytes that contradict their Content-Encoding are an encoding problem of their sender.
 *
 * @param kept the first bytes of the body
 * @param sent how many there were
 * @param coding the Content-Encoding
 */
export function recordedBody(kept: Uint8Array, sent: number, coding?: string): RecordedBody {
  const unpack = unpackerOf(coding)
  if (!unpack) return { text: '', isWhole: false }
  const isWhole = kept.length === sent
  try {
    return { ...jsonText(unpack(kept)), isWhole }
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    if (!isWhole || isTooLarge) return { text: '', isWhole: false }
    return { text: '', isWhole, encodingProblem: `bytes that are not ${coding}, as Content-Encoding says` }
  }
}
