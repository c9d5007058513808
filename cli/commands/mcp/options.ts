import type { Server } from '../../../mock/index.ts'

/** What the tools work on. */
export interface McpOptions {
  /** Version of the package, and the commit it was built from. */
  readonly version: string
  readonly commit?: string | undefined
  readonly mock: Pick<Server, 'baseUrl' | 'token' | 'session'>
  /** The service that `judge` may judge. Its token is sent to it alone, and null sends none. */
  readonly service?: { readonly baseUrl: string; readonly token: string | null }
  /** Whether there are tools that change the mock. */
  readonly allowWrite: boolean
  /** Explains an id; throws a sentence if it is unknown. */
  readonly explain: (id: string) => string
  /** Reads a file of the package. */
  readonly file: (path: string) => string
}
