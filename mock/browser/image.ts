import initBrotli, { decompress } from 'brotli-dec-wasm/web'
import type { Tables } from '../../fixtures/dataset.ts'
import type { EngineImage } from '../engine/pool/engine-thread.ts'
import { packedSteps } from '../engine/snapshot/scenarios.ts'
import type { GeneratorOptions } from '../../fixtures/generator-options.ts'
import type { ScenarioName } from '../../fixtures/scenarios/index.ts'
import type { Packed } from './packed.ts'
import { scope } from './platform.ts'
import { fromBase64, gunzip } from './unpack.ts'

/** The message of a page to its first worker. */
export interface ImageTask {
  readonly type: 'image'
  readonly packed: Packed
  /** Rows that replace the packed ones. */
  readonly rows?:
    | { readonly generate: GeneratorOptions }
    | { readonly tables: Partial<Tables> }
    | PackedScenario
}

/** A scenario among the packed ones. */
export interface PackedScenario {
  readonly scenario: ScenarioName
  /** See packed-scenarios.ts. */
  readonly scenarios: string
}

/** The answer of the worker. */
export type ImageReply =
  | { readonly type: 'image'; readonly image: EngineImage }
  | { readonly type: 'unfit'; readonly message: string }

const unpack = (text: string): Uint8Array => decompress(fromBase64(text))

/** Unpacks the image of the engines, and replaces its rows if requested, which takes seconds. */
export async function makeImage({ packed, rows }: ImageTask): Promise<EngineImage> {
  await initBrotli({ module_or_path: await gunzip(packed.brotli).arrayBuffer() })
  const database = scope.WebAssembly.compile(unpack(packed.database))
  const [parser, files, snapshot] = [packed.parser, packed.files, packed.snapshot].map(unpack)
  const artifacts = { database: await database, parser: parser!, files: files! }
  if (!rows) return { artifacts, snapshot: snapshot! }
  if ('scenario' in rows)
    return { artifacts, snapshot: snapshot!, steps: packedSteps(unpack(rows.scenarios), rows.scenario) }
  const [{ refillSnapshot }, { createDataset }, { datasetOf }] = await Promise.all([
    import('../engine/snapshot/refill.ts'),
    import('../../fixtures/index.ts'),
    import('../../fixtures/dataset.ts'),
  ])
  const dataset = 'tables' in rows ? datasetOf(rows.tables) : createDataset(rows.generate)
  return { artifacts, snapshot: await refillSnapshot(snapshot!, dataset, artifacts) }
}
