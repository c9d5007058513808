import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type Target } from './client.ts'
import { nodeCommand } from './cores.ts'
import { repository, scratch } from './folders.ts'
import { smallStatement } from './load.ts'

/** How to start a server. */
export interface ServerSpec {
  readonly name: string
  /** Arguments of Node. */
  args(port: number): readonly string[]
  /** A file that appears when the server is ready. Default: sends requests until it answers. */
  readonly readyFile?: string
  /** Working directory. Default: the repository. */
  readonly cwd?: string
  /** Cores it may use. Default: one. */
  readonly cores?: 'one' | 'all'
}

export interface Running extends Target {
  readonly pid: number
  /** Milliseconds from the creation of the process to the end of its first answer with rows. */
  readonly startedInMs: number
}

const token = 'bench'
const readyFile = join(scratch, 'ready.json')

/** The longest wait for a first answer, in milliseconds. */
const startWithinMs = 120_000

/** Our built server. @param flags further options of `serve` */
export const ours = (...flags: string[]): ServerSpec => ({
  name: 'ours',
  readyFile,
  args: (port) => [
    join(repository, 'dist', 'cli', 'main.js'),
    'serve',
    `--listen=127.0.0.1:${port}`,
    `--token=${token}`,
    `--ready-file=${readyFile}`,
    ...flags,
  ],
})

/** Starts a server, calls `use` when it answers and always stops the server. */
export async function withServer<T>(spec: ServerSpec, use: (server: Running) => Promise<T>): Promise<T> {
  const port = await freePort()
  const logFile = join(scratch, `${spec.name.replaceAll(/\W+/g, '-')}.log`)
  const log = openSync(logFile, 'w')
  if (spec.readyFile) rmSync(spec.readyFile, { force: true })
  const [command, ...args] = nodeCommand(spec.args(port), spec.cores ?? 'one')
  const started = performance.now()
  const child = spawn(command, args, { cwd: spec.cwd ?? repository, stdio: ['ignore', log, log] })
  closeSync(log)
  const gone = once(child, 'exit')
  try {
    while (!(await answers(spec, { port, token }))) {
      if (child.exitCode !== null || performance.now() - started > startWithinMs)
        throw new Error(
          `${spec.name} does not answer. Its output: ${readFileSync(logFile, 'utf8').slice(-500)}`,
        )
      await sleep(2)
    }
    const startedInMs = performance.now() - started
    return await use({ port, token, pid: child.pid!, startedInMs })
  } finally {
    child.kill('SIGKILL')
    await gone
  }
}

async function answers({ readyFile, name }: ServerSpec, target: Target): Promise<boolean> {
  if (readyFile && !existsSync(readyFile)) return false
  const reply = await ask(target, smallStatement(0), { keepBody: true }).catch(() => undefined)
  if (reply?.status !== 200) return false
  const { data } = JSON.parse(reply.body.toString()) as { data: unknown[] }
  if (data.length === 0) throw new Error(`${name} answers without rows.`)
  return true
}

/** A free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
