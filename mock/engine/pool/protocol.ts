import type { Artifacts } from '../artifacts.ts'
import type { ChangeStep } from '../change.ts'
import type { Column, EngineSettings, SqlErrorKind } from '../../statement.ts'

/** What the main thread sends to an engine's thread. */
export type Request =
  | { readonly type: 'boot'; readonly snapshot: Uint8Array; readonly artifacts: Artifacts }
  | {
      readonly type: 'run'
      readonly statement: string
      readonly settings?: EngineSettings
    }
  /** The data change; what is sent later sees it. */
  | { readonly type: 'apply'; readonly steps: readonly ChangeStep[] }
  /** The reader took a page: one more may follow. */
  | { readonly type: 'more' }
  /** The reader left. */
  | { readonly type: 'stop' }

/** What an engine's thread answers. After a message with `final` it is free again. */
export type Reply =
  | { readonly type: 'ready' }
  | { readonly type: 'unfit'; readonly message: string }
  | { readonly type: 'applied' }
  | {
      readonly type: 'page'
      readonly columns: readonly Column[]
      readonly chunks: readonly Uint8Array[]
      readonly final?: Final
    }
  | { readonly type: 'failed'; readonly error: PlainSqlError; readonly final: Final }
  | { readonly type: 'stopped'; readonly final: Final }

/** The statement is over. */
export interface Final {
  /** Why the engine has to be replaced before it runs another one. */
  readonly wear?: Wear
}

/** The statement broke the engine, or made its memory grow, which never shrinks. */
export type Wear = 'poison' | 'memory'

/** An SqlError as it travels between threads, which keep no classes. */
export interface PlainSqlError {
  readonly refused: boolean
  readonly kind: SqlErrorKind
  readonly message: string
  readonly sqlState: string
  readonly relation?: string
}

/** Pages an engine may send before the first `more`: it works ahead of a slow reader by this much. */
export const initialCredit = 2
