import { expect, test } from 'vitest'
import type { Reading } from '../../syntax/reading.ts'
import type { Page } from './result.ts'
import { oneAfterTheOther } from './several.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const log: string[] = []

async function* pagesOf(name: string, ...texts: string[]): AsyncGenerator<Page, void> {
  log.push(`${name} begins`)
  for (const [index, text] of texts.entries())
    yield {
      columns: [name],
      chunks: text === '' ? [] : [encode(text)],
      last: index === texts.length - 1,
    }
  log.push(`${name} ends`)
}

const admission = (silent = false) => ({ silent }) as Reading

async function read(results: AsyncGenerator<Page, void>[], statements: Reading[]) {
  const pages: Page[] = []
  for await (const page of oneAfterTheOther(results, statements)) pages.push(page)
  const text = pages.flatMap(({ chunks }) => chunks.map((chunk) => new TextDecoder().decode(chunk))).join('')
  return { text, columns: pages[0]!.columns[0], lasts: pages.map(({ last }) => last) }
}

test('joins the rows of all statements, each run after the one before', async () => {
  const results = [pagesOf('a', '1', ',2'), pagesOf('b', ''), pagesOf('c', '', '3', ',4')]
  expect(await read(results, [admission(), admission(), admission()])).toEqual({
    text: '1,2,3,4',
    columns: 'a',
    lasts: [false, false, false, false, false, true],
  })
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('leaves out the rows of silent statements', async () => {
  expect(await read([pagesOf('a', '1'), pagesOf('b', '2')], [admission(true), admission()])).toEqual({
    text: '2',
    columns: 'b',
    lasts: [true],
  })
  expect((await read([pagesOf('a', ''), pagesOf('b', '2')], [admission(), admission()])).text).toBe('2')
})
