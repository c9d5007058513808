import type { EnginePort } from '../engine/pool/serve-engine.ts'
import { scope } from './platform.ts'

/** Where the worker of a page hears what to run and answers. */
export const pagePort: EnginePort = {
  on(event, listener) {
    scope.addEventListener(event, ({ data }) => listener(data))
  },
  postMessage: (message, transfer) => scope.postMessage(message, transfer),
}
