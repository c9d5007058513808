import data from './contract.json' with { type: 'json' }
import type { ViewName } from './generated/types.ts'

/** The facts of the contract outside of schemas: endpoint, views, relations, delta columns, limits and messages. */
export interface Contract {
  /** The version in the path. */
  readonly version: 'v1'
  readonly endpoint: {
    readonly method: string
    /** Relative to the base URL, with its trailing slash. */
    readonly path: string
    readonly requestHeaders: Readonly<Record<string, string>>
  }
  /** In the order of the contract. */
  readonly views: readonly ViewName[]
  /** References between columns, each written `view.column`. */
  readonly relations: readonly { readonly from: string; readonly to: string }[]
  /** The join of Endpoints, rule 3. */
  readonly join: {
    readonly left: ViewName
    readonly right: ViewName
    readonly on: readonly [left: string, right: string]
    readonly aliases: readonly [left: string, right: string]
  }
  readonly delta: {
    readonly column: 'last_updated_at'
    /** The views whose tables in the contract list the column. */
    readonly views: readonly ViewName[]
    /** The views that have the column only because of the rule that every view but one has it. */
    readonly implied: readonly ViewName[]
  }
  /** The lines of the table of each view in the contract document. */
  readonly tables: Readonly<Record<ViewName, string>>
  /** The reference of a run to its experiment, which the contract describes at the column and not among the relations. */
  readonly parent: { readonly from: string; readonly to: string }
  /** The columns that tell the rows of each view apart. */
  readonly keys: Readonly<Record<ViewName, readonly string[]>>
  /** The views of which the contract says that their key, `id`, is unique. */
  readonly uniqueIds: readonly ViewName[]
  readonly eventKinds: readonly string[]
  readonly formulaExpressions: readonly string[]
  readonly limits: { readonly executionMs: number; readonly timeoutStatus: number }
  readonly messages: Readonly<
    Record<'success' | 'empty' | 'unknownView' | 'exception' | 'jsonDecode', string>
  >
}

/** The facts of the contract (contract.json). */
export const contract = data satisfies Pick<Contract, 'keys' | 'tables'> as unknown as Contract
