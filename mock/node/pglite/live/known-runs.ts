import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { brotliDecompressSync } from 'node:zlib'
import { makeFolder } from '../../../../base/files/make-folder.ts'
import { microsOf } from '../../../../base/time/micros.ts'
import type { KnownRuns } from '../../../../fixtures/changes.ts'
import { defaultPlant } from '../../../../fixtures/default-plant.ts'
import type { GeneratorOptions } from '../../../../fixtures/generator-options.ts'
import type { NotedRun } from '../../../../fixtures/runs/notes.ts'
import { packedPlant } from '../../../browser/packed-plant.ts'
import { prune, readChecked, touch, writeChecked } from '../snapshot/cache-files.ts'
import { isSame, packagedFiles } from '../snapshot/packaged-snapshot.ts'
import { snapshotKey } from '../snapshot/snapshot-key.ts'

/** The plants whose runs the package contains: those of its snapshots. */
export const packagedRuns: readonly GeneratorOptions[] = [packedPlant, defaultPlant]

/** The file of the runs of such a plant, which is part of the build: {@link packRuns} with Brotli. */
export const packagedRunsFile = ({ scale }: GeneratorOptions): URL =>
  new URL(`runs-${scale}.br`, packagedFiles)

/** The file of the runs of another plant. The sources may have changed since the build. */
const cachedFile = (plant: GeneratorOptions, cacheDir: string): string | undefined =>
  isPackaged(plant) ? undefined : join(cacheDir, `${snapshotKey(plant)}.runs`)

const isPackaged = (plant: GeneratorOptions): boolean =>
  import.meta.url.endsWith('.js') && packagedRuns.some((packaged) => isSame(plant, packaged))

/** The runs that change after asOf, without the functions of their bookings. */
export function packRuns({ last, recent }: KnownRuns, { asOf }: GeneratorOptions): Buffer {
  const changing = [...recent].filter(([id]) => last.get(id)! > microsOf('asOf', asOf))
  const plain = changing.map(([id, { run, recording }]) => {
    const { process: _, random: __, order: ___, ...rest } = run as NotedRun
    return [id, { run: rest, recording }] as const
  })
  return serialize({ last, recent: new Map(plain) })
}

/** Number of last used files that are kept. */
const keptFiles = 8

/** Most points of the runs that are kept: those of a large plant, or of each minute, would take hundreds of MB. */
const mostPoints = 4_000_000

/** The runs of a plant as the package or an earlier process knows them; undefined if none can be read. */
export function readRuns(plant: GeneratorOptions, cacheDir: string): KnownRuns | undefined {
  try {
    const file = cachedFile(plant, cacheDir)
    const bytes = file
      ? readChecked(file, (length) => Buffer.alloc(length))
      : brotliDecompressSync(readFileSync(packagedRunsFile(plant)))
    if (file) void touch(file)
    return deserialize(bytes as Buffer) as KnownRuns
  } catch {
    return undefined
  }
}

/** Keeps the runs for other processes, if that is possible. */
export async function keepRuns(plant: GeneratorOptions, cacheDir: string, runs: KnownRuns): Promise<void> {
  const file = cachedFile(plant, cacheDir)
  const series = [...runs.recent.values()].flatMap(({ recording }) => recording.online)
  if (!file || series.reduce((sum, { values }) => sum + values.length, 0) > mostPoints) return
  try {
    makeFolder(cacheDir)
    await prune(cacheDir, 'runs', keptFiles - 1)
    await writeChecked(file, packRuns(runs, plant))
  } catch {
    // they are simulated again
  }
}
