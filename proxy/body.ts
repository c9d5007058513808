import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib'
import type { RecordedBody } from '../client-conformance/index.ts'

/** Most bytes of the body of a request. Statements are small. */
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

/** A body as the rules read it. @param sent bytes that were sent @param kept the first of them */
export function recordedBody(kept: Uint8Array, sent: number, encoding = 'identity'): RecordedBody {
  const unpacked = unpack(kept, encoding.trim().toLowerCase())
  return {
    text: new TextDecoder().decode(unpacked),
    isWhole: kept.length === sent && unpacked !== undefined,
  }
}

const unpackers = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

/** The bytes without their encoding, also of a truncated body; undefined if they cannot be unpacked. */
function unpack(bytes: Uint8Array, encoding: string): Uint8Array | undefined {
  if (encoding === 'identity' || encoding === '') return bytes
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants
  const finishFlush = encoding === 'br' ? BROTLI_OPERATION_FLUSH : Z_SYNC_FLUSH
  try {
    return unpackers.get(encoding)?.(bytes, { maxOutputLength: MOST_BYTES, finishFlush })
  } catch {
    return undefined
  }
}
