import type { EnginePort } from '../engine/pool/serve-engine.ts'
import { scope } from './platform.ts'

/** The message port of the worker of a page. */
export const pagePort: EnginePort = {
  on(event, listener) {
    scope.addEventListener(event, ({ data }) => listener(data))
  },
  postMessage: (message, transfer) => scope.postMessage(message, transfer),
}
