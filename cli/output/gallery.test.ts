import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { generator } from '../../fixtures/plot/generator.ts'
import { EXIT } from '../exit.ts'
import { checkGalleryFile, writeGallery } from './gallery.ts'

const page = `<!doctype html><meta name="generator" content="${generator}">`
let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gallery-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('a gallery replaces an older gallery', () => {
  const file = join(dir, 'gallery.html')
  for (const age of ['old', 'new']) {
    checkGalleryFile(file)
    writeGallery(file, `${page} ${age}`)
  }
  expect(readFileSync(file, 'utf8')).toBe(`${page} new`)
  expect(readdirSync(dir)).toEqual(['gallery.html'])
})

test.each(['<h1>My thesis</h1>', ''])(
  'a gallery does not overwrite a file with the content %j',
  (content) => {
    const file = join(dir, 'mine.html')
    writeFileSync(file, content)
    expect(() => checkGalleryFile(file)).toThrow(
      `${file} exists and is not a gallery. Name another file, or delete this one.`,
    )
    expect(readFileSync(file, 'utf8')).toBe(content)
  },
)

test('rejects a gallery file that is a folder or lies in a missing folder before drawing', () => {
  for (const [file, code] of [
    [dir, 'EISDIR'],
    [join(dir, 'none', 'gallery.html'), 'ENOENT'],
  ] as const) {
    const sentence = `Cannot write the gallery to ${file} (${code}). Name a file in a writable folder.`
    expect(() => checkGalleryFile(file)).toThrow(
      expect.objectContaining({ message: sentence, exitCode: EXIT.usage }),
    )
  }
})

test('a failed write leaves the older gallery unchanged', () => {
  // the name of the temporary file is too long
  const file = join(dir, `${'x'.repeat(240)}.html`)
  writeFileSync(file, page)
  expect(() => writeGallery(file, `${page} new`)).toThrow(expect.objectContaining({ exitCode: EXIT.failed }))
  expect(readFileSync(file, 'utf8')).toBe(page)
})
