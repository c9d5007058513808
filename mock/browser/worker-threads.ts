import { scope } from './platform.ts'

/**
 * Stands in for `node:worker_threads` in the worker of a page, so that the engine's thread is the same code in both
 * (see mock/node/build-browser.ts).
 */
export const parentPort = {
  on(event: 'message', listener: (message: never) => void): void {
    scope.addEventListener(event, ({ data }) => listener(data))
  },
  postMessage: (message: unknown, transfer: readonly unknown[] = []) => scope.postMessage(message, transfer),
}
