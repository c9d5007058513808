import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultPlant } from '../../../../fixtures/default-plant.ts'
import { packagedSnapshot, packagedTables, sha256, type SnapshotDescription } from './packaged-snapshot.ts'
import { snapshotKey, tablesKey } from './snapshot-key.ts'

const content = new Uint8Array(randomBytes(300_000))
const packed = brotliCompressSync(content)
const right: SnapshotDescription = {
  bytes: content.length,
  sha256: sha256(packed),
  key: snapshotKey(defaultPlant),
  tables: tablesKey(),
}

let folder: URL
let warnings: string[]
const warn = (message: string) => warnings.push(message)
const write = (name: string, data: string | Uint8Array) => writeFileSync(new URL(name, folder), data)

beforeEach(() => {
  warnings = []
  folder = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'packaged-'))}/`)
  write('default-snapshot.json', JSON.stringify(right))
  write('default-snapshot.br', packed)
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

describe('the snapshot in the package', () => {
  test('is the one of the default plant, in shared memory', async () => {
    const snapshot = await packagedSnapshot(defaultPlant, warn, folder)
    expect(Buffer.compare(snapshot!, content)).toBe(0)
    expect(snapshot!.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(await packagedTables(warn, folder)).toEqual(snapshot)
    expect(warnings).toEqual([])
  })

  test('serves no other plant', async () => {
    for (const other of [{ seed: 2 }, { scale: 0.2 }, { asOf: '2026-02-01T00:00:00Z' }, { runs: 3 }])
      expect(await packagedSnapshot({ ...defaultPlant, ...other }, warn, folder)).toBeUndefined()
  })

  test('is left out if the sources have changed since the build', async () => {
    write('default-snapshot.json', JSON.stringify({ ...right, key: 'other' }))
    expect(await packagedSnapshot(defaultPlant, warn, folder)).toBeUndefined()
    expect(await packagedTables(warn, folder)).toBeDefined()
    write('default-snapshot.json', JSON.stringify({ ...right, tables: 'other' }))
    expect(await packagedTables(warn, folder)).toBeUndefined()
    expect(warnings).toEqual([])
  })

  test('may be missing', async () => {
    rmSync(new URL('default-snapshot.json', folder))
    expect(await packagedSnapshot(defaultPlant, warn, folder)).toBeUndefined()
    expect(warnings).toEqual([])
  })

  const flipped = Buffer.from(packed)
  flipped[150_000]! ^= 1
  test.each([
    ['missing', undefined],
    ['empty', new Uint8Array()],
    ['cut', packed.subarray(0, 200_000)],
    ['damaged', flipped],
    ['another file', content],
  ])('is not used, with a warning, if its file is %s', async (_, bytes) => {
    if (bytes) write('default-snapshot.br', bytes)
    else rmSync(new URL('default-snapshot.br', folder))
    expect(await packagedSnapshot(defaultPlant, warn, folder)).toBeUndefined()
    expect(warnings).toEqual([expect.stringMatching(/cannot be used .* Install the package again\.$/)])
  })
  test.each([
    ['shorter', content.length + 1],
    ['longer', content.length - 1],
  ])('is not used, with a warning, if its content is %s than described', async (_, bytes) => {
    write('default-snapshot.json', JSON.stringify({ ...right, bytes }))
    expect(await packagedSnapshot(defaultPlant, warn, folder)).toBeUndefined()
    expect(warnings).toEqual([expect.stringMatching(/cannot be used .* Install the package again\.$/)])
  })
})
