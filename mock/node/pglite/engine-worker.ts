import { parentPort } from 'node:worker_threads'
import { serveEngine } from '../../engine/pool/serve-engine.ts'

/** The thread of one engine in node. */
if (!parentPort) throw new Error('engine-worker.ts runs as a worker thread: use createNodeEngine.')
serveEngine(parentPort)
