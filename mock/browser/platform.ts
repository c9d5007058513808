/** The types of a browser that this folder uses. The DOM library of TypeScript would add all others. */
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

/** The global scope of the page or the worker. */
export const scope = globalThis as unknown as WorkerScope & {
  readonly Worker?: new (url: string) => PageWorker
  readonly WebAssembly: {
    compile(bytes: Uint8Array): Promise<never>
    instantiate(module: unknown, imports: unknown): Promise<unknown>
  }
}
