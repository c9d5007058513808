/** One request of a Hurl file and what its answer must have. */
export interface HurlEntry {
  title: string
  method: string
  url: string
  headers: Record<string, string>
  body: string
  asserts: string[]
}

/**
 * Reads the subset of Hurl (https://hurl.dev/docs/grammar.html) that the generated collection uses: a comment, the request line, headers, a
 * body of one line, `HTTP *` and `[Asserts]`.
 *
 * @throws Error for anything else, because this reader would pass over it
 */
export function parseHurl(text: string): HurlEntry[] {
  const [, ...blocks] = text.trimEnd().split('\n\n')
  return blocks.map((block) => {
    const [, title, method, url, head, body, asserts] =
      /^# (.*)\n([A-Z]+) (\S+)\n((?:[\w-]+: .*\n)+)({.*})\nHTTP \*\n\[Asserts\]\n([^]+)$/.exec(block) ?? []
    if (asserts === undefined) throw new Error(`Not in the subset of Hurl that tests read:\n${block}`)
    const headers = head!
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/, 2) as [string, string])
    return {
      title: title!,
      method: method!,
      url: url!,
      headers: Object.fromEntries(headers),
      body: body!,
      asserts: asserts.split('\n'),
    }
  })
}

/** Sends the requests and returns the asserts that do not hold. */
export async function runHurl(
  entries: readonly HurlEntry[],
  variables: Readonly<Record<string, string>>,
): Promise<string[]> {
  const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => variables[name]!)
  const broken: string[] = []
  for (const { title, method, url, headers, body, asserts } of entries) {
    const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]))
    const response = await fetch(fill(url), { method, headers: filled, body: fill(body) })
    const answer: unknown = await response.json().catch(() => undefined)
    for (const assert of asserts)
      if (!holds(assert, response.status, answer)) broken.push(`${title}: ${assert}`)
  }
  return broken
}

function holds(assert: string, status: number, answer: unknown): boolean {
  const [, path, count, operator, right] =
    /^(?:status|jsonpath "\$\.([\w.]+)")( count)? (==|<|<=|>=) (\S+)$/.exec(assert) ?? []
  if (right === undefined) throw new Error(`Teach tests/e2e/support/hurl.ts the assert \`${assert}\`.`)
  const found = path === undefined ? status : valueAt(answer, path)
  const left = count === undefined ? found : Array.isArray(found) ? found.length : undefined
  const wanted = JSON.parse(right) as string | number
  if (operator === '==') return left === wanted
  if (typeof left !== 'number' || typeof wanted !== 'number') return false
  return operator === '<' ? left < wanted : operator === '<=' ? left <= wanted : left >= wanted
}

const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((part, key) => (part as Record<string, unknown> | undefined)?.[key], value)
