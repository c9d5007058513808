import { spawnSync } from 'node:child_process'
import {
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { writeChecked } from './cache-files.ts'
import { takeLock } from './lock.ts'
import { cachedSnapshot } from './snapshot-cache.ts'
import { snapshotKey } from './snapshot-key.ts'

let directory: string
let builds = 0
let warnings: string[] = []
let progress: string[] = []

/** What the lock of a process of this machine says that has ended. */
const deadOwner = () => `${hostname()} ${spawnSync(process.execPath, ['-e', '']).pid}`

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'snapshots-'))
  builds = 0
  warnings = []
  progress = []
})
afterEach(() => rm(directory, { recursive: true, force: true }))

/** A tar archive with one file. */
function tarOf(name: string, size: number, declared = size): Uint8Array {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write(declared.toString(8).padStart(11, '0'), 124)
  header.write('ustar', 257)
  const file = Buffer.alloc(Math.ceil(size / 512) * 512)
  for (let at = 0; at < size; at++) file[at] = at % 251
  return new Uint8Array(Buffer.concat([header, file]))
}

const content = tarOf('PG_VERSION', 2_000)

async function build(): Promise<Uint8Array> {
  builds++
  return content
}

const buildSlowly = () => sleep(100).then(build)

async function anyFile(): Promise<FileHandle> {
  const handle = await open(join(directory, 'any'), 'w')
  await handle.close()
  await rm(join(directory, 'any'))
  return handle
}

const failToBuild = () => Promise.reject(new Error('no luck'))

function load(options: { where?: string; key?: string; build?: typeof build } = {}): Promise<Uint8Array> {
  return cachedSnapshot({
    directory: options.where ?? directory,
    key: options.key ?? 'k',
    build: options.build ?? build,
    warn: (message) => warnings.push(message),
    onProgress: (message) => progress.push(message),
  })
}

describe('cachedSnapshot', () => {
  test('builds a snapshot once and then reads it into shared memory', async () => {
    expect(await load()).toEqual(content)
    const cached = await load()
    expect(cached).toEqual(content)
    expect(cached.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(builds).toBe(1)
    expect(await readdir(directory)).toEqual(['k.snapshot'])
  })

  test('builds a snapshot once for concurrent callers', async () => {
    const all = await Promise.all([1, 2, 3].map(() => load({ build: buildSlowly })))
    for (const snapshot of all) expect(snapshot).toEqual(content)
    expect(builds).toBe(1)
  })

  test.each([
    ['a changed byte', (bytes: Uint8Array) => bytes.with(500, 255)],
    ['a missing end', (bytes: Uint8Array) => bytes.slice(0, 1_000)],
    ['an empty file', () => new Uint8Array(0)],
  ])('detects %s, warns once and builds the snapshot again', async (_, damage) => {
    await load()
    const file = join(directory, 'k.snapshot')
    await writeFile(file, damage(new Uint8Array(await readFile(file))))
    expect(await load()).toEqual(content)
    expect(warnings).toEqual([`The cached snapshot ${file} is damaged. It is built again.`])
    expect(await load()).toEqual(content)
    expect([builds, warnings.length]).toEqual([2, 1])
  })

  test.each([
    ['no archive', Uint8Array.from({ length: 2_000 }, (_, index) => index % 251)],
    ['an archive of something else', tarOf('readme.txt', 2_000)],
    ['a path out of the directory', new Uint8Array([...content, ...tarOf('base/../../../x', 10)])],
    ['a file longer than the archive', tarOf('PG_VERSION', 2_000, 4_000)],
  ])('discards %s with the right checksum and builds the snapshot', async (_, bytes) => {
    const file = join(directory, 'k.snapshot')
    await writeChecked(file, bytes)
    expect(await load()).toEqual(content)
    expect(warnings).toEqual([`The cached snapshot ${file} is damaged. It is built again.`])
    expect(await load()).toEqual(content)
    expect([builds, warnings.length]).toEqual([1, 1])
  })

  test('builds in memory and warns once if the directory cannot be written', async () => {
    const where = join(directory, 'file', 'cache')
    await writeFile(join(directory, 'file'), '')
    expect(await load({ where })).toEqual(content)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(`Snapshots cannot be cached in ${where}`)
  })

  test('builds in memory, warns once and leaves no file if the disk is full', async () => {
    const full = vi
      .spyOn(Object.getPrototypeOf(await anyFile()), 'writeFile')
      .mockImplementation(async function (this: FileHandle) {
        await this.write('a part')
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
      })
    expect(await load()).toEqual(content)
    full.mockRestore()
    expect(warnings).toEqual([
      expect.stringMatching(
        /^The snapshot could not be kept in .*: ENOSPC: no space left on device, write\. .*make room/,
      ),
    ])
    expect(await readdir(directory)).toEqual([])
    expect(await load()).toEqual(content)
    expect([builds, warnings.length]).toEqual([2, 1])
  })

  test('keeps the last used snapshots and deletes the files of processes that died', async () => {
    const age = async (name: string, hours: number) => {
      const then = new Date(Date.now() - hours * 3_600_000)
      await writeFile(join(directory, name), '', { flag: 'a' })
      await utimes(join(directory, name), then, then)
    }
    for (let n = 1; n <= 8; n++) {
      await load({ key: `k${n}` })
      await age(`k${n}.snapshot`, n)
    }
    await load({ key: 'k8' })
    await age('k1.snapshot.00000000-0000-4000-8000-000000000001', 0.05)
    await age('k1.snapshot.00000000-0000-4000-8000-000000000002', 0)
    await age('readme.txt', 1000)
    await load({ key: 'k9' })
    expect((await readdir(directory)).sort()).toEqual([
      'k1.snapshot',
      'k1.snapshot.00000000-0000-4000-8000-000000000002',
      ...[2, 3, 4, 5, 6, 8, 9].map((n) => `k${n}.snapshot`),
      'readme.txt',
    ])
  })

  test.each([
    ['died', -60_000],
    ['died before the clock was set back', 3_600_000],
  ])(
    'ignores the lock of a process that %s',
    async (_, after) => {
      const lock = join(directory, 'k.snapshot.lock')
      await writeFile(lock, '')
      const touched = new Date(Date.now() + after)
      await utimes(lock, touched, touched)
      expect(await load()).toEqual(content)
      expect(builds).toBe(1)
    },
    5_000,
  )

  test('says that a process was killed, and leaves nothing of its files', async () => {
    const partial = join(directory, 'k.snapshot.00000000-0000-4000-8000-000000000001')
    await writeFile(partial, content.subarray(0, 700))
    const minutesAgo = new Date(Date.now() - 120_000)
    await utimes(partial, minutesAgo, minutesAgo)
    await writeFile(join(directory, 'k.snapshot.lock'), deadOwner())
    expect(await load()).toEqual(content)
    expect(progress).toEqual(['The process that built the snapshot was stopped. It is built again.'])
    expect(await readdir(directory)).toEqual(['k.snapshot'])
  })

  test('makes room for a snapshot before it is written', async () => {
    for (let n = 1; n <= 8; n++) await load({ key: `k${n}` })
    const full = vi
      .spyOn(Object.getPrototypeOf(await anyFile()), 'writeFile')
      .mockRejectedValue(new Error('ENOSPC: no space left on device, write'))
    await load({ key: 'k9' })
    full.mockRestore()
    expect(await readdir(directory)).toHaveLength(7)
    expect(warnings).toHaveLength(1)
  })

  test('leaves no lock if building fails', async () => {
    await expect(load({ build: failToBuild })).rejects.toThrow('no luck')
    expect(await readdir(directory)).toEqual([])
  })
})

describe('takeLock', () => {
  test('gives the lock to one caller until it is released', async () => {
    const file = join(directory, 'lock')
    const lock = await takeLock(file)
    expect(lock).toBeDefined()
    expect(await takeLock(file)).toBeUndefined()
    await lock?.release()
    await expect(stat(file)).rejects.toThrow('ENOENT')
    const again = await takeLock(file)
    expect(again).toBeDefined()
    await again?.release()
  })
})

describe('a lock', () => {
  test.each([
    ['runs on this machine', () => `${hostname()} ${process.pid}`, false],
    ['has ended on this machine', deadOwner, true],
    ['may run on another machine', () => deadOwner().replace(/.* /, 'elsewhere '), false],
    ['could not write its name', () => '', false],
  ])('of a process that %s is respected unless it has ended', async (_, owner, isTaken) => {
    const file = join(directory, 'lock')
    await writeFile(file, owner())
    const lock = await takeLock(file)
    expect(lock !== undefined).toBe(isTaken)
    await lock?.release()
  })
})

describe('snapshotKey', () => {
  test('is different for different datasets', () => {
    const options = { seed: 1, scale: 0.1, asOf: '2026-01-01T00:00:00Z' }
    expect(snapshotKey(options)).toBe(snapshotKey({ ...options }))
    const others = [
      { ...options, seed: 2 },
      { ...options, scale: 0.2 },
      { ...options, runs: 3 },
    ]
    const keys = [options, ...others].map(snapshotKey)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
