import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { load } from './load.mjs'
import { parsers, select } from './select.mjs'

/** The first engine loads the fixtures; the others start from its snapshot. */
const { ddl, fixtures, snapshot } = workerData
const db = await PGlite.create({ loadDataDir: snapshot, parsers })
if (!snapshot) await load(db, ddl, fixtures)
parentPort.postMessage({ snapshot: snapshot ?? (await db.dumpDataDir('none')) })

parentPort.on('message', async (statement) => {
  const answer = select(db, statement).then(
    (rows) => ({ rows }),
    ({ code, message }) => ({ error: { code, message } }),
  )
  parentPort.postMessage(await answer)
})
