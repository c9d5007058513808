import { parentPort } from 'node:worker_threads'
import { serveEngine } from '../../../engine/pool/serve-engine.ts'
import { Analysis } from './analysis.ts'

if (!parentPort) throw new Error('analysis-worker.ts runs as a worker thread: use Analyst.')
serveEngine(parentPort, Analysis.open)
