import type { EngineWorker } from '../engine/pool/engine-thread.ts'
import { type PageWorker, scope } from './platform.ts'

/** The page does not let the engine run; the message names the remedy. */
export class PageRefuses extends Error {
  override readonly name = 'PageRefuses'
}

/** All that the engine needs; nothing of it calls `eval`. */
const remedy =
  'Let the Content-Security-Policy of the page have, at least in development: ' +
  "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:."

/**
 * How workers are started here.
 *
 * @throws PageRefuses where there are none
 */
export function requireWorker(): NonNullable<typeof scope.Worker> {
  if (scope.Worker) return scope.Worker
  throw new PageRefuses(
    'The mock runs its database in a Worker, and there is none here. Use it in a page or in node; ' +
      'tests with a simulated page, such as jsdom, have to resolve packages for node.',
  )
}

/**
 * Starts a worker from the address of its script.
 *
 * @throws PageRefuses where there are no workers, or the page's policy forbids this one
 */
export function openWorker(url: string): PageWorker {
  const Worker = requireWorker()
  try {
    return new Worker(url)
  } catch (error) {
    throw new PageRefuses(`The page does not let the mock start its worker (${String(error)}). ${remedy}`)
  }
}

/** What a worker failed with, as a sentence with its remedy where the page's policy was the cause. */
export function explainFailure(message: string | undefined): Error {
  if (!message) return new PageRefuses(`The worker of the mock did not start. ${remedy}`)
  if (/unsafe-eval|Content.Security.Policy|EvalError|blocked by CSP/i.test(message))
    return new PageRefuses(`The page does not let the mock run WebAssembly. ${remedy}`)
  return new Error(message)
}

/** A worker of a page with the calls of a thread of node. There is no exit to be told: it ends only when told to. */
export function pageThread(url: string): EngineWorker {
  const worker = openWorker(url)
  const on = (event: string, listener: (value: never) => void) => {
    if (event === 'message') worker.addEventListener('message', ({ data }) => listener(data))
    if (event === 'error')
      worker.addEventListener('error', ({ message }) => listener(explainFailure(message) as never))
  }
  return {
    postMessage: (request) => worker.postMessage(request),
    on,
    once: on,
    terminate: async () => {
      worker.terminate()
      return 0
    },
    ref: () => {},
    unref: () => {},
  }
}
