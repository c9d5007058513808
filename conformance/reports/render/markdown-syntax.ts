/** The Markdown that the reports use. These functions escape all text. */

/** Escapes text inside a line, so that it is not read as Markdown, HTML, a link or a mention. */
export const inline = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]()<>#+!|~$&@]/g, (character) => `\\${character}`)
    .replaceAll('://', '\\://')
    .replaceAll(/www\./gi, (www) => `${www.slice(0, 3)}\\.`)

/** Text in a code fence longer than any inside the text. Text beyond `longest` characters is cut. */
export function fence(text: string, language = 'text', longest = 8000): string {
  const shown =
    text.length > longest ? `${text.slice(0, longest)}\n… (${text.length - longest} more characters)` : text
  const runs = shown.match(/`+/g) ?? []
  const ticks = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
  return `${ticks}${language}\n${shown}\n${ticks}`
}

/** A table. Its cells are Markdown; escape texts with {@link inline}. */
export const table = (heads: string[], rows: string[][]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** A part of a page that may be left out if the page gets too long. */
export interface Block {
  /** Names the part in the sentence about omitted parts. */
  name: string
  text: string
}

/**
 * Joins `first`, as many blocks as fit into `limit` bytes, and `last`. A sentence names the omitted blocks. After an
 * omitted block, all blocks of the same name are omitted too, so that no list has a gap.
 */
export function capped(first: string, blocks: readonly Block[], last: string, limit: number): string {
  const room = limit - bytes(first) - bytes(last) - 2000
  const kept: string[] = []
  const cut = new Map<string, number>()
  let used = 0
  for (const { name, text } of blocks) {
    const size = bytes(text) + 2
    if (cut.has(name) || used + size > room) cut.set(name, (cut.get(name) ?? 0) + 1)
    else {
      kept.push(text)
      used += size
    }
  }
  const names = [...cut].map(([name, count]) => (count === 1 ? name : `${name} (${count})`))
  const sentence =
    names.length === 0
      ? []
      : [
          `**Shortened to stay below ${limit} bytes.** Omitted: ${names.join(', ')}. The JSON report is complete.`,
        ]
  return `${[first, ...kept, ...sentence, last].filter((text) => text !== '').join('\n\n')}\n`
}

const bytes = (text: string): number => Buffer.byteLength(text)
