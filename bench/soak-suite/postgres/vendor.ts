import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { end, finished, printed, root } from '../../../e2e/support/cli.ts'
import { startVendor } from '../../../e2e/support/vendor.ts'
import { startCluster } from './cluster.ts'

const here = dirname(fileURLToPath(import.meta.url))

/** The minimal vendor on a temporary PostgreSQL, with an optional writer. */
export interface PostgresVendor {
  baseUrl: string
  version: string
  /** Writes at a rate until the returned function is called, which returns the writes. */
  write(perSecond: number): Promise<() => Promise<Written>>
  stop(): Promise<void>
}

export interface Written {
  made: Record<string, number>
  seconds: number
}

/** Sets up the vendor as the README of the example says, or returns why it cannot. */
export async function startPostgresVendor(fixtures: string): Promise<PostgresVendor | string> {
  const cluster = await startCluster()
  if (typeof cluster === 'string') return cluster
  try {
    installPg()
    const source = copyOfTheExample()
    const load = [join(source, 'load-postgres.mjs'), join(root, 'schemas/generated/ddl.sql'), fixtures]
    const loaded = await finished(node(load, cluster.url))
    if (loaded.exitCode !== 0) throw new Error(`The fixtures were not loaded: ${loaded.stderr}`)
    cluster.sql(`CREATE ROLE service LOGIN PASSWORD 'service' IN ROLE bioprocess_reader`)
    const service = cluster.url.replace(/owner:[^@]*/, 'service:service')
    const vendor = await startVendor({ fixtures, source, environment: { DATABASE_URL: service } })
    return {
      baseUrl: vendor.baseUrl,
      version: cluster.version,
      write: (perSecond) => startWriting(cluster.url, perSecond),
      stop: () => vendor.stop().finally(cluster.stop),
    }
  } catch (error) {
    cluster.stop()
    throw error
  }
}

const node = (args: string[], url: string) =>
  spawn(process.execPath, args, { env: { ...process.env, DATABASE_URL: url } })

async function startWriting(url: string, perSecond: number): Promise<() => Promise<Written>> {
  const writer = node([join(here, 'writer.mjs'), String(perSecond)], url)
  const over = finished(writer)
  await printed(writer, /Writing/)
  return async () => {
    await end(writer)
    const { exitCode, stdout, stderr } = await over
    if (exitCode !== 0) throw new Error(`The writer exited with ${exitCode}: ${stderr}`)
    return JSON.parse(stdout.slice(stdout.indexOf('{'))) as Written
  }
}

function installPg(): void {
  if (existsSync(join(here, 'node_modules/.package-lock.json'))) return
  const { status } = spawnSync('npm', ['ci'], { cwd: here, stdio: 'inherit', shell: true })
  if (status !== 0) throw new Error(`The installation of pg failed. Run npm ci in ${here} to see why.`)
}

/** A copy of the example next to our installation of pg, which the example does not install. */
function copyOfTheExample(): string {
  const copy = join(here, 'node_modules/.cache/minimal-vendor')
  rmSync(copy, { recursive: true, force: true })
  cpSync(join(root, 'examples/minimal-vendor'), copy, { recursive: true })
  return copy
}
