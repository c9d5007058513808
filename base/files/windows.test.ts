import type * as fs from 'node:fs'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type * as path from 'node:path'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

// Each test loads the module with a file system and paths like those of Windows.
beforeEach(() => void vi.resetModules())
afterEach(() => {
  for (const name of ['node:fs', 'node:path']) vi.doUnmock(name)
  vi.resetModules()
})

test.each(['Z:\\a\\b', 'Z:\\', String.raw`\\server\share\a`])(
  'making %s ends if its drive is missing',
  async (folder) => {
    vi.doMock('node:path', async (original) => (await original<typeof path>()).win32)
    vi.doMock('node:fs', () => ({
      existsSync: () => false,
      statSync: () => undefined,
      mkdirSync: () => {
        throw new Error('ENOENT: no such file or directory, mkdir')
      },
    }))
    const { makeFolder } = await import('./make-folder.ts')
    expect(() => makeFolder(folder)).toThrow('ENOENT')
  },
)

describe('a file that another program has open', () => {
  const { platform } = process
  let dir: string
  let file: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'replace-'))
    file = join(dir, 'a.json')
    writeFileSync(file, 'old')
  })
  afterEach(() => {
    Object.defineProperty(process, 'platform', { value: platform })
    rmSync(dir, { recursive: true })
  })

  /** Replaces the file on a system that refuses the first renames. */
  async function replace(name: NodeJS.Platform, refusals: number) {
    Object.defineProperty(process, 'platform', { value: name })
    const rename = vi.fn()
    for (let time = 0; time < refusals; time++)
      rename.mockImplementationOnce(() => {
        throw new Error('EPERM: operation not permitted, rename')
      })
    vi.doMock('node:fs', async (original) => {
      const actual = await original<typeof fs>()
      return { ...actual, renameSync: rename.mockImplementation(actual.renameSync) }
    })
    const { replaceFile } = await import('./replace-file.ts')
    return { rename, replacing: () => replaceFile(file, 'new') }
  }
  const found = () => [readFileSync(file, 'utf8'), readdirSync(dir)]

  test('for a moment is replaced on Windows', async () => {
    const { replacing } = await replace('win32', 3)
    replacing()
    expect(found()).toEqual(['new', ['a.json']])
  })

  test.each([
    ['win32', 21],
    ['linux', 1],
  ] as const)('for long keeps its content on %s, after %d tries', async (name, tries) => {
    const { rename, replacing } = await replace(name, tries)
    expect(replacing).toThrow('EPERM')
    expect(rename).toHaveBeenCalledTimes(tries)
    expect(found()).toEqual(['old', ['a.json']])
  })
})
