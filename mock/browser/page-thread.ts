import type { EngineWorker } from '../engine/pool/engine-thread.ts'
import { type PageWorker, scope } from './platform.ts'

/** Thrown if the page does not let the engine run; the message names the remedy. */
export class PageRefuses extends Error {
  override readonly name = 'PageRefuses'
}

/** The directives that the engine needs. It never calls `eval`. */
const remedy =
  'Let the Content-Security-Policy of the page have, at least in development: ' +
  "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:."

/**
 * The constructor of workers.
 *
 * @throws PageRefuses if there is none
 */
export function requireWorker(): NonNullable<typeof scope.Worker> {
  if (scope.Worker) return scope.Worker
  throw new PageRefuses(
    'The mock runs its database in a Worker, and there is none here. Use it in a page or in node; ' +
      'tests with a simulated page, such as jsdom, have to resolve packages for node.',
  )
}

/**
 * Starts a worker from the URL of its script.
 *
 * @throws PageRefuses if there are no workers or the page's policy forbids this one
 */
export function openWorker(url: string): PageWorker {
  const Worker = requireWorker()
  try {
    return new Worker(url)
  } catch (error) {
    throw new PageRefuses(`The page does not let the mock start its worker (${String(error)}). ${remedy}`)
  }
}

/** The error of a worker; if the page's policy is the cause, the message names the remedy. */
export function explainFailure(message: string | undefined): Error {
  if (!message) return new PageRefuses(`The worker of the mock did not start. ${remedy}`)
  if (/unsafe-eval|Content.Security.Policy|EvalError|blocked by CSP/i.test(message))
    return new PageRefuses(`The page does not let the mock run WebAssembly. ${remedy}`)
  return new Error(message)
}

/** A worker of a page with the methods of a thread of node. It emits no `exit`, because it ends only by `terminate`. */
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
