import type { Tables } from '../../fixtures/dataset.ts'
import type { EngineImage } from '../engine/pool/engine-thread.ts'
import type { GeneratorOptions } from '../../fixtures/generator-options.ts'
import type { Packed } from './packed.ts'
import { scope } from './platform.ts'

/** The message of a page to its first worker. */
export interface ImageTask {
  readonly type: 'image'
  readonly packed: Packed
  /** Rows that replace the packed ones. */
  readonly rows?: { readonly generate: GeneratorOptions } | { readonly tables: Partial<Tables> }
}

/** The answer of the worker. */
export type ImageReply =
  | { readonly type: 'image'; readonly image: EngineImage }
  | { readonly type: 'unfit'; readonly message: string }

/** Unpacks the image of the engines, and replaces its rows if requested, which takes seconds. */
export async function makeImage({ packed, rows }: ImageTask): Promise<EngineImage> {
  const [database, parser, files, snapshot] = await Promise.all([
    compile(packed.database),
    bytesOf(packed.parser),
    bytesOf(packed.files),
    bytesOf(packed.snapshot),
  ])
  const artifacts = { database, parser, files }
  if (!rows) return { artifacts, snapshot }
  const [{ refillSnapshot }, { createDataset }, { datasetOf }] = await Promise.all([
    import('../engine/snapshot/refill.ts'),
    import('../../fixtures/index.ts'),
    import('../../fixtures/dataset.ts'),
  ])
  const dataset = 'tables' in rows ? datasetOf(rows.tables) : createDataset(rows.generate)
  return { artifacts, snapshot: await refillSnapshot(snapshot, dataset, artifacts) }
}

const compile = (text: string) =>
  scope.WebAssembly.compileStreaming(
    new Response(unpack(text), { headers: { 'content-type': 'application/wasm' } }),
  )

const bytesOf = async (text: string) => new Uint8Array(await new Response(unpack(text)).arrayBuffer())

function unpack(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream('gzip'))
}

/** Decodes base64. The texts have megabytes, and the native function of new browsers is ten times faster. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 } = Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }
  if (fromBase64) return fromBase64.call(Uint8Array, text)
  const chars = atob(text)
  const bytes = new Uint8Array(chars.length)
  for (let i = 0; i < chars.length; i++) bytes[i] = chars.charCodeAt(i)
  return bytes
}
