import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importDirectory } from '../../../fixtures/import/index.ts'
import { createReference, type Reference } from '../../../mock/index.ts'
import { contract, type ViewName } from '../../../schemas/index.ts'
import { record, type RecordOptions, type Recording } from '../../../client/twin/index.ts'

/** A new folder that the end of the test removes. */
export function newFolder(): { out: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'twin-'))
  return { out: join(folder, 'twin'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Records a service in this process. */
export const recordFrom = (
  { baseUrl, token, fetch }: Pick<Reference, 'baseUrl' | 'token' | 'fetch'>,
  out: string,
  options: Partial<RecordOptions> = {},
): Promise<Recording> =>
  record({ baseUrl, token, fetch, out, maxRequests: 5000, maxRows: 1_000_000, version: 'test', ...options })

/** Starts a reference server with the rows of a recording. */
export async function twinOf(
  out: string,
  variants: Readonly<Record<string, string>> = {},
): Promise<Reference> {
  const { dataset, refused } = await importDirectory(out)
  if (refused > 0) throw new Error(`${refused} rows were refused`)
  return createReference({ dataset, variants, workers: 1 })
}

export interface Envelope {
  data: Record<string, unknown>[]
  status: { state: string; message: string }
}

/** The answer to a statement. */
export async function answerOf({ baseUrl, token, fetch }: Reference, statement: string): Promise<Envelope> {
  const response = await fetch(`${baseUrl}${contract.endpoint.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ statement }),
  })
  return (await response.json()) as Envelope
}

/** The rows of a view in a folder. */
export const recordedRows = (out: string, view: ViewName): Record<string, unknown>[] =>
  readFileSync(join(out, `${view}.ndjson`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
