import { createReference, type Reference } from '../../mock/index.ts'

/** A statement of a page, and the answer below it if there is one. */
const statement = /^```sql\n([^`]+)\n```\n(?:\n(?:\|.*\n)+|\nNone\.\n)?/gm

/** The page with the answers of the default plant below its statements. */
export async function withAnswers(page: string): Promise<string> {
  const reference = await createReference({})
  try {
    const answers: string[] = []
    for (const [, sql] of page.matchAll(statement)) answers.push(await answerOf(reference, sql!))
    return page.replace(statement, (_, sql: string) => `\`\`\`sql\n${sql}\n\`\`\`\n\n${answers.shift()}\n`)
  } finally {
    await reference.close()
  }
}

const row = (cells: readonly unknown[]): string =>
  `| ${cells.map((cell) => String(cell ?? '').replaceAll('\n', '<br>')).join(' | ')} |`

/** @throws Error if the statement fails */
async function answerOf({ baseUrl, token, fetch }: Reference, sql: string): Promise<string> {
  const response = await fetch(`${baseUrl}/external/v1/statements/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ statement: sql }),
  })
  const { data, status } = (await response.json()) as {
    data: readonly Readonly<Record<string, unknown>>[]
    status: { state: string; message: string }
  }
  if (status.state !== 'success')
    throw new Error(`A statement of docs/questions.md fails: ${status.message}\n${sql}`)
  const [first] = data
  if (!first) return 'None.'
  const head = [row(Object.keys(first)), `|${'---|'.repeat(Object.keys(first).length)}`]
  return [...head, ...data.map((one) => row(Object.values(one)))].join('\n')
}
