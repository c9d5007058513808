import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress, createBrotliDecompress } from 'node:zlib'
import { defaultPlant } from '../../../../fixtures/default-plant.ts'
import { packedPlant } from '../../../browser/packed-plant.ts'
import type { GeneratorOptions } from '../../../../fixtures/generator-options.ts'
import { share } from './share.ts'
import { snapshotKey, tablesKey } from './snapshot-key.ts'

/** What default-snapshot.json says about default-snapshot.br, which is the snapshot of {@link defaultPlant}. */
export interface SnapshotDescription {
  /** Its size without compression. */
  readonly bytes: number
  /** The digest of the file: brotli has no checksum. */
  readonly sha256: string
  /** The key of the snapshot, computed from the sources. */
  readonly key: string
  /** The key of its tables and views. */
  readonly tables: string
}

const isSource = import.meta.url.endsWith('.ts')

/** The folder of the files, which are part of the build. */
export const packagedFiles = new URL(
  isSource ? '../../../../dist/mock/node/pglite/snapshot/' : './',
  import.meta.url,
)

/** Bytes of an unpacked chunk; handling small chunks would take longer than unpacking them. */
const chunkSize = 120 << 10

/**
 * The snapshot of a plant that the package contains: that of the default plant and that of the smallest one, which is there
 * for pages. Undefined for other plants, and if the sources have changed since the build.
 */
export async function packagedSnapshot(
  plant: GeneratorOptions,
  warn: (message: string) => void,
  folder = packagedFiles,
): Promise<Uint8Array | undefined> {
  if (isSame(plant, defaultPlant)) {
    const description = describe(folder)
    if (description && (!isSource || description.key === snapshotKey(plant)))
      return unpack(folder, description, warn)
  }
  if (isSame(plant, packedPlant)) {
    const { packedData } = await import('../../../browser/packed-data.ts')
    if (packedData !== undefined)
      return share(await promisify(brotliDecompress)(Buffer.from(packedData, 'base64'), { chunkSize }))
  }
  return undefined
}

/** A snapshot with the tables, views and rights of every snapshot, and the rows of the default plant. */
export async function packagedTables(
  warn: (message: string) => void,
  folder = packagedFiles,
): Promise<Uint8Array | undefined> {
  const description = describe(folder)
  return description && (!isSource || description.tables === tablesKey())
    ? unpack(folder, description, warn)
    : undefined
}

/** Whether the options are those of a packaged plant. */
export function isSame(plant: object, packaged: object): boolean {
  const wanted = Object.entries(plant)
  return (
    wanted.length === Object.keys(packaged).length &&
    wanted.every(([name, value]) => (packaged as Record<string, unknown>)[name] === value)
  )
}

function describe(folder: URL): SnapshotDescription | undefined {
  try {
    return JSON.parse(readFileSync(new URL('default-snapshot.json', folder), 'utf8'))
  } catch {
    return undefined
  }
}

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** Unpacks into shared memory. */
async function unpack(
  folder: URL,
  { bytes, sha256: digest }: SnapshotDescription,
  warn: (message: string) => void,
): Promise<Uint8Array | undefined> {
  try {
    const packed = await readFile(new URL('default-snapshot.br', folder))
    if (sha256(packed) !== digest) throw new Error('It is damaged.')
    const snapshot = new Uint8Array(new SharedArrayBuffer(bytes))
    let at = 0
    const unpacked = createBrotliDecompress({ chunkSize })
    unpacked.end(packed)
    for await (const part of unpacked as AsyncIterable<Uint8Array>) {
      snapshot.set(part, at)
      at += part.length
    }
    if (at !== bytes) throw new Error(`It has ${at} bytes instead of ${bytes}.`)
    return snapshot
  } catch (error) {
    const { message } = error as Error
    warn(
      `The database in the package cannot be used (${message}), so it is built. Install the package again.`,
    )
    return undefined
  }
}
