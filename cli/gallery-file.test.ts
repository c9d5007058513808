import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { generator } from '../fixtures/plot/generator.ts'
import { EXIT } from './exit.ts'
import { openGallery } from './gallery-file.ts'

const page = `<!doctype html><meta name="generator" content="${generator}">`
let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gallery-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('a gallery takes the place of an older one', () => {
  const file = join(dir, 'gallery.html')
  openGallery(file).write(`${page} old`)
  openGallery(file).write(`${page} new`)
  expect(readFileSync(file, 'utf8')).toBe(`${page} new`)
  expect(readdirSync(dir)).toEqual(['gallery.html'])
})

test.each(['<h1>My thesis</h1>', ''])('%j stays', (content) => {
  const file = join(dir, 'mine.html')
  writeFileSync(file, content)
  expect(() => openGallery(file)).toThrow(
    `${file} is there and is no gallery. Give another file, or remove it.`,
  )
  expect(readFileSync(file, 'utf8')).toBe(content)
})

test('a folder is no file, and one that is missing holds none: known before anything is drawn', () => {
  for (const [file, code] of [
    [dir, 'EISDIR'],
    [join(dir, 'none', 'gallery.html'), 'ENOENT'],
  ] as const) {
    const sentence = `The gallery can not be written to ${file} (${code}). Name a file in a folder that exists and can be written to.`
    expect(() => openGallery(file)).toThrow(
      expect.objectContaining({ message: sentence, exitCode: EXIT.usage }),
    )
  }
})

test('what can not be written whole leaves the older gallery', () => {
  const file = join(dir, 'gallery.html')
  openGallery(file).write(page)
  const gallery = openGallery(file)
  mkdirSync(`${file}.part`)
  expect(() => gallery.write(`${page} new`)).toThrow(expect.objectContaining({ exitCode: EXIT.failed }))
  expect(readFileSync(file, 'utf8')).toBe(page)
})
