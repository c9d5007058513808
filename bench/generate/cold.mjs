// A process of its own, on the built package: prints how many seconds it takes to generate a scale to files, its modules loaded
// and nothing of it run before.
import { exportDataset } from '../../dist/fixtures/export/index.js'

const [scale, dir] = process.argv.slice(2)
const started = performance.now()
await exportDataset({ scale: Number(scale) }, { format: 'ndjson', dir, version: '0.0.0' })
console.log((performance.now() - started) / 1000)
