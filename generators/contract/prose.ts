/** Matches code: identifiers with an underscore, options of the command line, JSON objects. */
const code =
  /(?<![\w"'])[a-z_]*[a-z]_[a-z_]*[a-z*](?:\.[a-z_]+|\([^()]*\))?(?![\w"'])|__typename|(?<!\w)--[a-z]+(?:-[a-z]+)*|\{(?:[^{}]|\{[^{}]*\})*\}(?:\/[\w/]*)?/
/** Matches possible links: the id of a requirement, the id or the number of an open point. */
const name = /\bREQ-[A-Z0-9-]+(?::[a-z_]+)?|\bNS-[0-9]{2}\b|\b[a-z]+(?:-[a-z]+)*\.[a-z]+(?:-[a-z]+)*\b/
const parts = new RegExp(`(?<marked>\`[^\`]*\`)|(?<name>${name.source})|(?<code>${code.source})`, 'g')

/**
 * Converts plain text to Markdown: identifiers become code, names in `links` become links to their anchors, and all other
 * text is escaped. Text in backticks is unchanged.
 */
export function markProse(text: string, links: ReadonlyMap<string, string> = new Map()): string {
  let markdown = ''
  let end = 0
  for (const { 0: whole, groups, index } of text.matchAll(parts)) {
    markdown += escape(text.slice(end, index)) + markPart(whole, groups!, links)
    end = index + whole.length
  }
  return markdown + escape(text.slice(end))
}

function markPart(
  whole: string,
  { marked, code, name }: Readonly<Record<string, string | undefined>>,
  links: ReadonlyMap<string, string>,
): string {
  if (marked !== undefined) return whole
  const anchor = links.get(name ?? '')
  if (anchor !== undefined) return `[${whole}](#${anchor})`
  return code === undefined && whole.startsWith('REQ-') ? whole : `\`${whole}\``
}

const escape = (text: string): string => text.replaceAll(/[\\`*_[\]<]/g, '\\$&')
