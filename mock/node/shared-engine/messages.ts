import type { PlainSqlError } from '../../engine/pool/plain-error.ts'
import type { Micros } from '../../../base/time/micros.ts'
import type { ExecuteOptions, Overlay, RowChange } from '../../statement.ts'
import type { NodeEngineOptions } from '../pglite/index.ts'
import { type GeneratorOptions, generatorOf } from '../../../fixtures/generator-options.ts'

/** The environment variable with the address of the shared engine: its port and its key. */
export const addressVariable = 'BIOPROCESS_SQL_SHARED_ENGINE'

/** What an engine is started with; equal options share one. */
export type SharedOptions = Partial<GeneratorOptions> & Pick<NodeEngineOptions, 'timeLimitMs'>

/** The options of an engine among others. Equal ones give equal JSON. */
export const sharedOptionsOf = ({ timeLimitMs, ...options }: SharedOptions): SharedOptions => ({
  ...generatorOf(options),
  ...(timeLimitMs && { timeLimitMs }),
})

/** The first message of a connection. */
export interface Hello {
  /** Proves that the sender belongs to the test run. */
  readonly key: string
}

/** A statement for the shared engine. */
export interface Asked {
  readonly engine: SharedOptions
  /** Absent: the engine only has to be ready. */
  readonly statement?: string
  /** Asks for the changes of the plant between two times instead. */
  readonly changes?: readonly [from: Micros, to: Micros]
  readonly options: Omit<ExecuteOptions, 'signal' | 'overlay'>
  readonly overlay?: OverlayUpdate
}

/** The changes of an overlay from one of them on; the engine has those before. */
export interface OverlayUpdate extends Overlay {
  readonly from: number
}

/** A part of the rows, or why there are none. A connection that ends before `last` is a statement that failed. */
export type Told =
  | { readonly columns?: readonly string[]; readonly last: boolean }
  | { readonly changes: readonly RowChange[] }
  | { readonly timeout: number }
  | { readonly busy: string }
  | { readonly error: PlainSqlError }
