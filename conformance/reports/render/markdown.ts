import {
  documentFor,
  isVerbatim,
  listed,
  richCell,
  wordOf,
  type Cell,
  type Content,
  type Detail,
  type Document,
  type Finding,
  type Section,
} from '../document.ts'
import { capped, fence, inline, table, type Block } from './markdown-syntax.ts'
import { SYMBOLS } from '../symbols.ts'

/** The longest summary of a job step on GitHub, in bytes. */
const JOB_SUMMARY_LIMIT = 1024 * 1024

/** The document as Markdown, for a job summary or a ticket. With a verdict it is kept below the limit of a job summary, and ends with the verdict. */
export function renderMarkdown(unsafe: Document): string {
  const { title, state, facts, byline, sections } = documentFor('markdown', unsafe)
  const word = state && inline(wordOf(state))
  const lines = [facts, byline].flatMap((line) => (line === undefined ? [] : [inline(line)]))
  return capped(
    [`# ${word ? `${word}: ` : ''}${inline(title)}`, ...lines].join('\n\n'),
    sections.flatMap(partsOf),
    word ? `**${word}** · ${inline(title)}` : '',
    word ? JOB_SUMMARY_LIMIT : Infinity,
  )
}

/** The parts of a section that may be left out: each finding is one. The first has the heading. */
function partsOf(section: Section): Block[] {
  const { heading } = section
  const [first, ...rest] = textsOf(section)
  const texts = heading === undefined ? [first!] : [`## ${inline(heading)}\n\n${first}`, ...rest]
  return texts.map((text) => ({ name: heading?.toLowerCase() ?? 'the table', text }))
}

function textsOf(content: Content): string[] {
  switch (content.kind) {
    case 'findings':
      return content.entries.map(findingText)
    case 'details':
      return [detailsText(content.entries)]
    case 'list':
      return [
        listed(content)
          .map(({ id, text }) => `- ${id === undefined ? '' : `**${inline(id)}**: `}${inline(text)}`)
          .join('\n'),
      ]
    case 'table': {
      const text = table(
        content.heads.map(inline),
        content.entries.map((row) => row.map(cellText)),
      )
      return [content.isFolded ? `<details><summary>Show them</summary>\n\n${text}\n\n</details>` : text]
    }
    case 'paragraph':
      return [inline(content.text)]
  }
}

const findingText = ({ state, requirement, id, details }: Finding): string =>
  `### ${SYMBOLS[state.outcome].mark} ${requirement === undefined ? '' : `${inline(requirement)} `}${inline(id)}\n\n${detailsText(details)}`

/** Neighbouring lines make one paragraph; texts that are shown as they are have a fence. */
const detailsText = (details: readonly Detail[]): string =>
  details
    .map((detail) => {
      const [name, text, language] = detail
      const label = `${name.charAt(0).toUpperCase()}${name.slice(1)}:`
      return isVerbatim(detail) ? `\n${label}\n\n${fence(text, language)}` : `${label} ${inline(text)}  `
    })
    .join('\n')
    .trim()

function cellText(cell: Cell): string {
  const { text = '', state } = richCell(cell)
  if (state === undefined) return inline(text)
  const { outcome, word } = state
  return word === undefined ? `${SYMBOLS[outcome].mark} ${outcome}` : inline(word)
}
