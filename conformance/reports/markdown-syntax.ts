/** The pieces of Markdown that the reports use; every text that goes in is escaped here. */

/** Text within a line: no character of it is taken for Markdown, HTML, a link or a mention. */
export const inline = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]()<>#+!|~$&@]/g, (character) => `\\${character}`)
    .replaceAll('://', '\\://')
    .replaceAll(/www\./gi, (www) => `${www.slice(0, 3)}\\.`)

/** Text as it is, in a fence that is longer than any within it. Beyond `longest` characters it is cut. */
export function fence(text: string, language = 'text', longest = 8000): string {
  const shown =
    text.length > longest ? `${text.slice(0, longest)}\n… (${text.length - longest} more characters)` : text
  const runs = shown.match(/`+/g) ?? []
  const ticks = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
  return `${ticks}${language}\n${shown}\n${ticks}`
}

/** A table; cells are Markdown already, see {@link inline}. */
export const table = (heads: string[], rows: string[][]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** A part that a page can go without, when it would get too long. */
export interface Block {
  /** What the reader is told was left out. */
  name: string
  text: string
}

/**
 * Blocks one after the other, as many as fit into `limit` bytes between what has to be there; a sentence says what
 * was left out. Once a block does not fit, none of the same name follows, so that a list has no hidden holes.
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
  const names = [...cut].map(([name, count]) => (count === 1 ? name : `${name} (${count} of them)`))
  const sentence =
    names.length === 0
      ? []
      : [
          `**Cut to stay below ${limit} bytes.** Left out: ${names.join(', ')}. The JSON report has all of it.`,
        ]
  return `${[first, ...kept, ...sentence, last].join('\n\n')}\n`
}

const bytes = (text: string): number => Buffer.byteLength(text)
