import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { packedPlant } from '../../browser/packed-plant.ts'
import { share } from './share.ts'
import type { GeneratorOptions } from '../../engine/generator-options.ts'

/** Bytes of an unpacked chunk; handling small chunks would take longer than unpacking them. */
const chunkSize = 4 << 20

/** The snapshot that the package contains for pages; undefined if the options describe another one. */
export async function packedSnapshot(options: GeneratorOptions): Promise<Uint8Array | undefined> {
  const wanted: Readonly<Record<string, unknown>> = { ...options }
  const names = new Set([...Object.keys(wanted), ...Object.keys(packedPlant)])
  if ([...names].some((name) => wanted[name] !== (packedPlant as typeof wanted)[name])) return undefined
  const { packedData } = await import('../../browser/packed-data.ts')
  if (packedData === undefined) return undefined
  return share(await promisify(gunzip)(Buffer.from(packedData, 'base64'), { chunkSize }))
}
