import {
  documentFor,
  listed,
  richCell,
  wordOf,
  type Content,
  type Cell,
  type RichCell,
  type Detail,
  type Document,
  type Finding,
} from '../document.ts'
import { painter, type Paint } from './paint.ts'
import { SYMBOLS } from '../symbols.ts'

/** The document for a terminal. It starts and ends with the title, since only the end stays in sight. */
export function renderTerminal(unsafe: Document, stream: { isTTY?: boolean; columns?: number }): string {
  const { state, title, facts, sections } = documentFor('terminal', unsafe)
  const paint = painter(stream)
  const width = Math.max(100, Math.min(stream.columns ?? 160, 200))
  const verdict = state ? `${paint(['bold', SYMBOLS[state.outcome].style], wordOf(state))}  ` : ''
  const ends = [`${verdict}${title}`, ...(facts === undefined ? [] : [paint('gray', facts)])]
  const texts = sections.map((section) => {
    const isTitled = section.kind === 'list' && section.heading !== undefined
    return `${isTitled ? `${paint('bold', section.heading!.toLowerCase())}\n` : ''}${textOf(section, paint, width)}`
  })
  return `${[ends.join('\n'), ...texts, ends.toReversed().join('\n')].join('\n\n')}\n`
}

function textOf(content: Content, paint: Paint, width: number): string {
  switch (content.kind) {
    case 'findings':
      return content.entries.map((one) => findingText(one, paint)).join('\n\n')
    case 'details':
      return detailsText(content.entries, paint)
    case 'list':
      return listed(content)
        .map(({ id, text }) => `  ${id === undefined ? '' : `${id}: `}${text}`)
        .join('\n')
    case 'table':
      return tableText(content.entries, paint, width)
    case 'paragraph':
      return content.text
  }
}

function findingText({ state, requirement, id, details }: Finding, paint: Paint): string {
  const { mark, style } = SYMBOLS[state.outcome]
  const names = requirement === undefined ? paint('bold', id) : `${paint('bold', requirement)}  ${id}`
  return `${paint(style, `${mark} ${wordOf(state)}`)}  ${names}\n${detailsText(details, paint)}`
}

const detailsText = (details: readonly Detail[], paint: Paint): string =>
  details
    .map(([name, text]) => `  ${paint('gray', name.padEnd(11))}  ${text.replaceAll('\n', '\n    ')}`)
    .join('\n')

/** The longest text of a column that is not the last. */
const LONGEST = 56

/** The rows in lines of `width` characters, of which the last column takes what the others leave. */
function tableText(table: readonly Cell[][], paint: Paint, width: number): string {
  const rows = table.map((row) => row.map(richCell))
  const widths = rows[0]!.map((_, at) =>
    Math.min(LONGEST, Math.max(...rows.map((row) => row[at]!.text?.length ?? 0))),
  )
  const lineOf = (row: RichCell[]) => {
    const marks = row.flatMap(({ state }) => (state ? [SYMBOLS[state.outcome]] : []))
    const texts = row.map(({ text }, at) =>
      text === undefined ? '' : `${cut(text, LONGEST).padEnd(widths[at]!)}  `,
    )
    const left = texts.slice(0, -1).join('')
    const last = cut(row.at(-1)!.text ?? '', Math.max(20, width - left.length - 4))
    return ` ${marks.map(({ mark, style }) => paint(style, mark)).join(' ')} ${left}${last}`
  }
  return rows.map(lineOf).join('\n')
}

function cut(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
