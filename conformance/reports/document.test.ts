import { expect, test } from 'vitest'
import type { Document, Section } from './document.ts'
import { renderHtml } from './render/html.ts'
import { renderMarkdown } from './render/markdown.ts'
import { renderTerminal } from './render/terminal.ts'

const formats = {
  terminal: (document: Document) => renderTerminal(document, {}),
  markdown: renderMarkdown,
  html: renderHtml,
} as const

const withSections = (...sections: Section[]): Document => ({ title: 'a title', sections })
const list = (heading: string, ...texts: string[]): Section => ({
  id: heading,
  heading,
  kind: 'list',
  entries: texts.map((text) => ({ text })),
})

test.each(Object.entries(formats))('the %s shows sections that are for it and not empty', (name, render) => {
  const text = render(
    withSections(
      list('empty'),
      { ...list('here', 'one'), formats: [name as keyof typeof formats] },
      { ...list('elsewhere', 'two'), formats: [] },
    ),
  )
  expect(text).toMatch(/here[^]*one/)
  expect(text).not.toMatch(/empty|elsewhere|two/)
})

test.each(Object.entries(formats))('the %s makes every text of a document printable', (_, render) => {
  const hostile = '\u001b[2J \u202e'
  const text = render({
    title: hostile,
    state: { outcome: 'fail', word: hostile },
    facts: hostile,
    byline: hostile,
    sections: [
      list(hostile, hostile),
      { id: 'p', kind: 'paragraph', text: hostile },
      { id: 't', kind: 'table', heads: [hostile], entries: [[hostile]], headColumn: 0 },
      { id: 'd', kind: 'details', entries: [[hostile, hostile, 'sh']] },
      {
        id: 'f',
        kind: 'findings',
        entries: [{ state: { outcome: 'warn' }, id: hostile, details: [[hostile, hostile]] }],
      },
    ],
  })
  expect(text).toContain('u001b')
  // eslint-disable-next-line no-control-regex
  expect(text).not.toMatch(/\u001b|\u202e/)
})

test('a long list is cut with a count in the terminal and in Markdown, and folded in HTML', () => {
  const document = withSections({ ...list('why', 'one', 'two', 'three'), kind: 'list', most: 1 } as Section)
  for (const format of ['terminal', 'markdown'] as const) {
    const text = formats[format](document)
    expect(text).toContain('… and 2 more')
    expect(text).not.toContain('three')
  }
  expect(renderHtml(document)).toMatch(/one[^]*<summary>2 more<\/summary>[^]*three/)
})

test('a text of several lines keeps its lines in each format', () => {
  const document = withSections({ id: 'd', kind: 'details', entries: [['found', 'one\ntwo']] })
  expect(formats.terminal(document)).toContain('one\n    two')
  expect(formats.markdown(document)).toContain('```text\none\ntwo\n```')
  expect(formats.html(document)).toContain('<pre>one\ntwo</pre>')
})
