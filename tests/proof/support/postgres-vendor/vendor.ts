import { spawn } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { end, finished, printed, root } from '../../../e2e/support/cli.ts'
import { superuser, TestServer, testPassword } from '../../../e2e/support/postgres/index.ts'
import { createFolder, missingPrograms, removeFolder } from '../../../e2e/support/postgres/programs.ts'
import { startVendor } from '../../../e2e/support/vendor.ts'

const here = dirname(fileURLToPath(import.meta.url))

/** The minimal vendor on a temporary PostgreSQL, with an optional writer. */
export interface PostgresVendor {
  baseUrl: string
  /** Writes at a rate until the returned function is called, which returns the writes. */
  write(perSecond: number): Promise<() => Promise<Written>>
  stop(): Promise<void>
}

/** The count of each write. */
export type Written = Record<string, number>

/** Sets up the vendor as the README of the example says, or returns why it cannot. */
export async function startPostgresVendor(fixtures: string): Promise<PostgresVendor | string> {
  const missing = missingPrograms()
  if (missing !== undefined) return missing
  const folder = createFolder()
  const server = await TestServer.primary(folder)
  const kill = () => void server.kill()
  // an interrupted run must not leave a server behind
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    await server.kill()
    removeFolder(folder)
  }
  try {
    const source = copyOfTheExample()
    const owner = server.url(superuser)
    const load = [join(source, 'load-postgres.mjs'), join(root, 'schemas/generated/ddl.sql'), fixtures]
    const loaded = await finished(node(load, owner))
    if (loaded.exitCode !== 0) throw new Error(`The fixtures were not loaded: ${loaded.stderr}`)
    await server.sql(`CREATE ROLE service LOGIN PASSWORD '${testPassword}' IN ROLE bioprocess_reader`)
    const vendor = await startVendor({
      fixtures,
      source,
      environment: { DATABASE_URL: server.url('service') },
    })
    return {
      baseUrl: vendor.baseUrl,
      write: (perSecond) => startWriting(owner, perSecond),
      stop: () => vendor.stop().finally(stop),
    }
  } catch (error) {
    await stop()
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

/** A copy of the example where it finds our installation of pg. */
function copyOfTheExample(): string {
  const copy = join(root, 'node_modules/.cache/minimal-vendor')
  rmSync(copy, { recursive: true, force: true })
  cpSync(join(root, 'examples/minimal-vendor'), copy, { recursive: true })
  return copy
}
