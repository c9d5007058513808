/** Prints, as JSON, the milliseconds of the first statement in each further process of a run that shares an engine. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { setup, teardown } from 'bioprocess-sql-contract/msw/global-setup'

const workers = 8
await setup()
const first = []
for (let worker = 0; worker <= workers; worker++) {
  const script = fileURLToPath(new URL('further-worker.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  first.push(Number(stdout))
}
await teardown()
// the first process waits for the engine
console.log(JSON.stringify(first.slice(1)))
process.exit()
