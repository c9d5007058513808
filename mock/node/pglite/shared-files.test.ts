import { createHash } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultPlant } from '../../../fixtures/default-plant.ts'
import { type Artifacts, snapshotOptions } from '../../engine/snapshot/artifacts.ts'
import { SnapshotFs } from '../../engine/snapshot/snapshot-fs.ts'
import { loadArtifacts } from './artifacts.ts'
import { createSnapshot } from './index.ts'

/** A file of the snapshot and one of PGlite. */
const files = [`${PGlite.paths.PGDATA}/PG_VERSION`, '/pglite/share/postgresql/timezonesets/Default']

interface Files {
  readFile(path: string, options: { encoding: 'utf8' }): string
  writeFile(path: string, text: string): void
  truncate(path: string, length: number): void
  open(path: string, flags: string): object
  write(stream: object, bytes: Uint8Array, offset: number, length: number, position: number): number
  close(stream: object): void
}

let artifacts: Artifacts
let snapshot: Uint8Array
let databases: PGlite[]
let first: Files
let second: Files

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const read = (fs: Files, path: string) => fs.readFile(path, { encoding: 'utf8' })

beforeAll(async () => {
  artifacts = await loadArtifacts()
  snapshot = await createSnapshot(defaultPlant)
  const open = () => PGlite.create({ ...snapshotOptions(artifacts), fs: new SnapshotFs(snapshot, artifacts) })
  databases = [await open(), await open()]
  ;[first, second] = databases.map((database) => database.Module.FS as unknown as Files) as [Files, Files]
})
afterAll(() => Promise.all(databases.map((database) => database.close())))

test.each(files)('what one engine does with %s is not seen by another', (path) => {
  const [sharedSnapshot, sharedFiles] = [hash(snapshot), hash(artifacts.files)]
  const text = read(second, path)
  expect(text.length).toBeGreaterThan(1)
  const opened = first.open(path, 'r+')
  first.write(opened, new TextEncoder().encode('#'), 0, 1, 0)
  expect(read(first, path)).toBe(`#${text.slice(1)}`)
  first.write(opened, new TextEncoder().encode('!'), 0, 1, 1)
  first.close(opened)
  expect(read(first, path)).toBe(`#!${text.slice(2)}`)
  first.truncate(path, 1)
  expect(read(first, path)).toBe('#')
  first.writeFile(path, 'other')
  expect(read(first, path)).toBe('other')
  expect(read(second, path)).toBe(text)
  second.truncate(path, 0)
  expect(read(second, path)).toBe('')
  expect([hash(snapshot), hash(artifacts.files)]).toEqual([sharedSnapshot, sharedFiles])
})

test('the engines use the files of PGlite', async () => {
  const { rows } = await databases[0]!.query(
    `SELECT ('2026-07-01 12:00'::timestamp AT TIME ZONE 'Europe/Berlin')::text AS at, to_tsvector('english', 'cultures') @@ 'cultur' AS found`,
  )
  expect(rows).toEqual([{ at: '2026-07-01 10:00:00+00', found: true }])
})
