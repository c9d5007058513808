import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts the module as a worker thread, from the sources as well as from the build.
 *
 * @param name path of the module relative to `from`, ending in `.ts`; the build has the same file as `.js`
 * @param from the caller's `import.meta.url`
 */
export function startWorker(name: string, from: string, options: WorkerOptions = {}): Worker {
  if (!from.endsWith('.ts')) return new Worker(new URL(name.replace(/\.ts$/, '.js'), from), options)
  const module = new URL(name, from)
  // the parent's own loader flags would run a second time in the thread, before ours
  return new Worker(new URL('./ts-worker.mjs', import.meta.url), {
    ...options,
    argv: [module.href],
    execArgv: [],
  })
}
