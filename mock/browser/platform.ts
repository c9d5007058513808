/** What this folder uses of a browser; TypeScript knows it only together with all the rest of one. */
export interface PageWorker {
  postMessage(message: unknown): void
  addEventListener(event: 'message', listener: (event: { readonly data: never }) => void): void
  addEventListener(event: 'error', listener: (event: { readonly message?: string }) => void): void
  terminate(): void
}

interface WorkerScope {
  postMessage(message: unknown, transfer: readonly unknown[]): void
  addEventListener(event: 'message', listener: (event: { readonly data: never }) => void): void
}

/** The page, or the worker. */
export const scope = globalThis as unknown as WorkerScope & {
  readonly Worker?: new (url: string) => PageWorker
  readonly WebAssembly: {
    compileStreaming(response: Response): Promise<never>
    instantiate(module: unknown, imports: unknown): Promise<unknown>
  }
}
