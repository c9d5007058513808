import { basename, join } from 'node:path'
import type * as path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => void vi.resetModules())
afterEach(() => {
  vi.doUnmock('node:path')
  vi.resetModules()
})

const here = process.cwd()

test.each([
  ['twin', join(here, 'twin.state.json')],
  ['twin//', join(here, 'twin.state.json')],
  ['.', join(here, '..', `${basename(here)}.state.json`)],
])('the state of %s is beside the folder', async (dir, file) => {
  const { stateFileOf } = await import('./state.ts')
  expect(stateFileOf(dir)).toBe(file)
})

test('on Windows, the state of a folder that ends with a backslash is beside it', async () => {
  vi.doMock('node:path', async (original) => (await original<typeof path>()).win32)
  const { stateFileOf } = await import('./state.ts')
  expect(stateFileOf('C:\\recordings\\twin\\')).toBe('C:\\recordings\\twin.state.json')
})
