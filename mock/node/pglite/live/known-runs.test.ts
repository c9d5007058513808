import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize } from 'node:v8'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { historyFrom, type KnownRuns } from '../../../../fixtures/changes.ts'
import type { RecordedRun } from '../../../../fixtures/runs/bioprocess.ts'
import { hour } from '../../../../base/time/micros.ts'
import { readChecked } from '../snapshot/cache-files.ts'
import { keepRuns, readRuns } from './known-runs.ts'
import { PlantThread } from './plant-thread.ts'

const plant = { seed: 1, scale: 0.01, asOf: '2026-01-01T00:00:00Z', runs: 3 }
const known: KnownRuns = { last: new Map(), recent: new Map() }
const history = historyFrom(plant, known)
const changes = history.changes(history.asOf, history.asOf + hour)

let cacheDir: string
beforeEach(() => {
  cacheDir = mkdtempSync(join(tmpdir(), 'known-runs-'))
})
afterEach(() => {
  rmSync(cacheDir, { recursive: true })
})

describe('the simulated runs of a plant', () => {
  test('are kept by the thread that simulates them, for the next one', async () => {
    const move = async () => {
      const thread = new PlantThread({ plant, cacheDir })
      const moved = await thread.rowChanges(history.asOf, history.asOf + hour)
      await thread.close()
      return moved
    }
    const first = await move()
    // the thread may be that of the build, whose key is another
    const files = readdirSync(cacheDir)
    expect(files).toEqual([expect.stringMatching(/\.runs$/)])
    const bytes = readChecked(join(cacheDir, files[0]!), Buffer.alloc) as Buffer
    const runs = deserialize(bytes) as KnownRuns
    expect(historyFrom(plant, runs).changes(history.asOf, history.asOf + hour)).toEqual(changes)
    expect(await move()).toEqual(first)
    expect(readdirSync(cacheDir)).toEqual(files)
  })

  test('are those of one plant', async () => {
    await keepRuns(plant, cacheDir, known)
    expect(readRuns({ ...plant, seed: 2 }, cacheDir)).toBeUndefined()
  })

  test('are simulated again if their file is damaged', async () => {
    await keepRuns(plant, cacheDir, known)
    for (const name of readdirSync(cacheDir)) writeFileSync(join(cacheDir, name), 'damaged')
    expect(readRuns(plant, cacheDir)).toBeUndefined()
  })

  test('are not kept where no file can be written', async () => {
    const file = join(cacheDir, 'file')
    writeFileSync(file, '')
    await keepRuns(plant, file, known)
    expect(readRuns(plant, file)).toBeUndefined()
  })

  test('are not kept if they have millions of points', async () => {
    const [[id, ran]] = [...known.recent] as [[string, RecordedRun]]
    const online = ran.recording.online.map((one) => ({ ...one, values: new Float64Array(1_000_000) }))
    const recent = new Map([[id, { ...ran, recording: { ...ran.recording, online } }]])
    await keepRuns(plant, cacheDir, { ...known, recent })
    expect(readdirSync(cacheDir)).toEqual([])
  })
})
