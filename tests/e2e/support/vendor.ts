import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { exportDataset } from '../../../fixtures/export/index.ts'
import { end, printed, root } from './cli.ts'

export const VENDOR_TOKEN = 'vendor-token-1'

export interface Vendor {
  baseUrl: string
  stop(): Promise<void>
}

/** Creates an ignored folder for one test inside the repository, where its files find the installed packages. */
export function scratch(): { dir: string; remove(): void } {
  const parent = join(root, 'node_modules/.cache/bioprocess-sql-e2e')
  mkdirSync(parent, { recursive: true })
  const dir = mkdtempSync(join(parent, 'run-'))
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

/** Exports the fixtures as files, as a vendor gets them. */
export async function exportFixtures(
  dir: string,
  scale = 0.01,
  plant: { readonly runs?: number } = {},
): Promise<string> {
  const out = join(dir, 'fixtures')
  await exportDataset({ scale, ...plant }, { format: 'ndjson', dir: out, version: 'e2e' })
  return out
}

export interface VendorOptions {
  fixtures: string
  timeLimitMs?: number
  /** The folder of the server's files. Default: examples/minimal-vendor. */
  source?: string
  environment?: Record<string, string>
}

/** Starts the minimal vendor as its README says: with node and its own files only. */
export async function startVendor(options: VendorOptions): Promise<Vendor> {
  const { fixtures, timeLimitMs = 30_000, environment = {} } = options
  const source = options.source ?? join(root, 'examples/minimal-vendor')
  const child: ChildProcess = spawn(
    process.execPath,
    [join(source, 'server.mjs'), join(root, 'schemas/generated/ddl.sql'), fixtures],
    {
      env: {
        ...process.env,
        TOKEN: VENDOR_TOKEN,
        PORT: '0',
        TIME_LIMIT_MS: String(timeLimitMs),
        ...environment,
      },
    },
  )
  const [, baseUrl] = await printed(child, /Listening on (\S+)/)
  return { baseUrl: baseUrl!, stop: () => end(child) }
}

/** Copies the vendor, or another `source`, and changes one line of one file. @returns the folder of the broken server */
export function brokenVendor(
  dir: string,
  name: string,
  file: string,
  line: string | RegExp,
  replacement: string,
  source = join(root, 'examples/minimal-vendor'),
): string {
  const copy = join(dir, name)
  cpSync(source, copy, { recursive: true })
  const text = readFileSync(join(copy, file), 'utf8')
  const broken = text.replace(line, () => replacement)
  if (broken === text)
    throw new Error(`${file} of the vendor has no line ${line}. Adapt the test to the example.`)
  writeFileSync(join(copy, file), broken)
  return copy
}
