/** A process that judges the subjects of one part: `worker.ts PART`. It receives ids and sends entries. */
import { agreed, entryOf } from './entry.ts'
import { parts } from './parts/index.ts'
import type { Sent } from './workers.ts'

const part = parts.find(({ name }) => name === process.argv[2])!
const started = part.start()

process.on('message', async (id: string) => {
  try {
    const { judge } = await started
    const run = async () => entryOf(part.name, id, await judge(id))
    const before = process.cpuUsage()
    const entry = await (part.varies?.(id) ? agreed(run) : run())
    const { user, system } = process.cpuUsage(before)
    process.send!({ entry, cpuSeconds: (user + system) / 1e6 } satisfies Sent)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
    process.disconnect()
  }
})

// also when the parent was killed: servers in further processes must not outlive it
process.on('disconnect', async () => {
  await started.then(({ close }) => close()).catch(() => {})
  process.exit()
})
