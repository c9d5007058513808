import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { databaseFile } from './code/artifacts.ts'
import { createNodeEngine } from './index.ts'
import { checksums, rowsOf } from './plant.test-helper.ts'
import { codeFile, loadCode } from './code/stored-code.ts'
import { deferWasmOptimisation } from './code/wasm-tiering.ts'

const cacheDir = mkdtempSync(join(tmpdir(), 'prepared-'))
const binary = new Uint8Array(readFileSync(databaseFile))
let file: string
let before: unknown
let whole: Uint8Array

/** Processes whose command names the cache directory. */
const preparing = () =>
  execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('prepare-process') && line.includes(cacheDir))

const restored = async (bytes: Uint8Array) => {
  writeFileSync(file, bytes)
  return loadCode(databaseFile, binary, cacheDir)
}

beforeAll(async () => {
  file = codeFile(databaseFile, cacheDir)!
  const engine = await createNodeEngine({ cacheDir })
  before = await rowsOf(engine, checksums)
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 90_000, interval: 200 })
  await vi.waitFor(() => expect(preparing()).toEqual([]), { timeout: 10_000, interval: 200 })
  await engine.close()
  whole = new Uint8Array(readFileSync(file))
})
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }))

describe('an engine that runs for some seconds', () => {
  test('leaves the optimised code and the unpacked snapshot, and no lock', () => {
    const extensions = readdirSync(cacheDir).map((name) => name.split('.').slice(1).join('.'))
    expect(extensions.sort()).toEqual(['code', 'code', 'snapshot'])
  })

  test('leaves code with which the next engine answers the same', async () => {
    deferWasmOptimisation()
    expect(await loadCode(databaseFile, binary, cacheDir)).toBeDefined()
    const engine = await createNodeEngine({ cacheDir })
    try {
      expect(await rowsOf(engine, checksums)).toEqual(before)
    } finally {
      await engine.close()
    }
  })

  test('ends the process that prepares the next start when it is closed', async () => {
    rmSync(file)
    const engine = await createNodeEngine({ cacheDir })
    await vi.waitFor(() => expect(preparing()).not.toEqual([]), { timeout: 30_000, interval: 20 })
    await engine.close()
    await vi.waitFor(() => expect(preparing()).toEqual([]), { timeout: 2_000, interval: 20 })
    expect(existsSync(file)).toBe(false)
  })
})

describe('stored code', () => {
  test.each([
    ['empty', () => new Uint8Array()],
    ['cut', (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2)],
    [
      'damaged',
      (bytes: Uint8Array) => {
        const damaged = bytes.slice()
        damaged[bytes.length >> 1]! ^= 1
        return damaged
      },
    ],
  ])('is deleted and not used if its file is %s', async (_, damage) => {
    expect(await restored(damage(whole))).toBeUndefined()
    expect(existsSync(file)).toBe(false)
  })

  test('is not used under other flags of V8, and is kept', async () => {
    setFlagsFromString('--wasm-tiering-budget=59999999')
    try {
      expect(await restored(whole)).toBeUndefined()
      expect(existsSync(file)).toBe(true)
    } finally {
      deferWasmOptimisation()
    }
    expect(await restored(whole)).toBeDefined()
  })
})
