import { spawn, type ChildProcess } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')

export interface Finished {
  exitCode: number
  stdout: string
  stderr: string
}

/** The environment without the variables that the command line and its threads read. */
const environment = (): NodeJS.ProcessEnv => {
  const {
    BIOPROCESS_SQL_BASE_URL: _,
    BIOPROCESS_SQL_TOKEN: __,
    BIOPROCESS_SQL_BUILT: ___,
    ...rest
  } = process.env
  return { ...rest, NO_COLOR: '1' }
}

/** The command line as the package ships it; `build.ts` builds it before the tests. */
export const builtCli = join(root, 'dist/cli/main.js')

/** Starts the command line in the working directory `folder`; `flags` are those of Node. */
export const spawnCli = (args: string[], folder = root, flags: string[] = []): ChildProcess =>
  spawn(process.execPath, [...flags, builtCli, ...args], { cwd: folder, env: environment() })

/** Starts the command line from its sources, as the scripts of a clone do. */
export const spawnFromSources = (args: string[]): ChildProcess =>
  spawn(process.execPath, ['--import', 'tsx', 'cli/main.ts', ...args], { cwd: root, env: environment() })

/** Runs the command line to its end. */
export const runCli = (args: string[]): Promise<Finished> => finished(spawnCli(args))

/** A server that the command line started. */
export interface CliServer {
  readonly child: ChildProcess
  readonly baseUrl: string
  /** Everything it has printed to stderr so far. */
  log(): string
  stop(): Promise<void>
}

/** Starts `serve` on a free port; resolves when it answers statements. */
export const startCliServer = (flags: string[], folder = root): Promise<CliServer> =>
  serving(spawnCli(['serve', '--listen', '127.0.0.1:0', ...flags], folder))

/** Waits until a child that runs `serve` answers statements. */
export async function serving(child: ChildProcess): Promise<CliServer> {
  let log = ''
  child.stderr!.on('data', (text) => (log += String(text)))
  const [, inText, inJson] = await printed(child, /serving\s+(\S+)|"baseUrl":"([^"]+)"/)
  return { child, baseUrl: (inText ?? inJson)!, log: () => log, stop: () => end(child) }
}

/** Collects the output of a child until it ends. */
export function finished(child: ChildProcess): Promise<Finished> {
  let [stdout, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (code, signal) =>
      code === null
        ? failed(new Error(`ended by ${signal}\n${stdout}\n${stderr}`))
        : done({ exitCode: code, stdout, stderr }),
    )
  })
}

/** Resolves with the first match in the stdout of a child; rejects if the child ends without one. */
export function printed(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let [stdout, stderr] = ['', '']
  return new Promise((found, failed) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      const match = pattern.exec(stdout)
      if (match) found(match)
    })
    child.once('close', (code) =>
      failed(new Error(`ended with ${code} before it printed ${pattern}\n${stdout}\n${stderr}`)),
    )
  })
}

/** Ends a child and waits until it is gone. */
export function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.kill('SIGTERM')
  return gone
}

/** Ends a detached child and what it started, such as the command behind npm or npx, and waits until it is gone. */
export function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  process.kill(-child.pid!, 'SIGTERM')
  return gone
}
