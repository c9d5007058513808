// Loaded into a server: each of its threads collects its garbage once, 1 s after its start (decisions/0033).
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

if (!isMainThread) {
  setFlagsFromString('--expose-gc')
  setTimeout(runInNewContext('gc'), 1000).unref()
  setFlagsFromString('--no-expose-gc')
}
