import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const brotli = promisify(brotliCompress)

/**
 * Compresses with brotli. Quality 11 takes ten times as long as 9 and saves a seventh, so only `npm pack` asks for it: the scripts of the build
 * have the quality as their argument.
 */
export const compress = (bytes: Uint8Array): Promise<Buffer> =>
  brotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: Number(process.argv[2] ?? 9),
      // unpacking needs the window as a block of memory
      [constants.BROTLI_PARAM_LGWIN]: 20,
    },
  })
