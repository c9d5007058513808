import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { packedPlant } from '../../browser/packed-plant.ts'
import { share } from './share.ts'
import type { GeneratorOptions } from './snapshot-key.ts'

/** The snapshot that the package brings along for pages, where it is the one that is asked for. */
export async function packedSnapshot(options: GeneratorOptions): Promise<Uint8Array | undefined> {
  const wanted: Readonly<Record<string, unknown>> = { ...options }
  const names = new Set([...Object.keys(wanted), ...Object.keys(packedPlant)])
  if ([...names].some((name) => wanted[name] !== (packedPlant as typeof wanted)[name])) return undefined
  const { packed } = await import('../../browser/packed.ts')
  return packed && share(await promisify(gunzip)(Buffer.from(packed.snapshot, 'base64')))
}
