// Prints the seconds of an export in a new process, after its modules are loaded.
import { exportDataset } from '../../fixtures/export/index.ts'

const [scale, dir] = process.argv.slice(2)
const started = performance.now()
await exportDataset({ scale: Number(scale) }, { format: 'ndjson', dir, version: '0.0.0' })
console.log((performance.now() - started) / 1000)
