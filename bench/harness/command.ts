import { execFileSync, spawn } from 'node:child_process'
import { nodeCommand } from './cores.ts'
import { peakResidentMb } from './process.ts'

export interface Finished {
  /** From the creation of the process to its end. */
  readonly seconds: number
  /** Highest resident memory, MB. */
  readonly peakMb: number
}

/** How often the peak is read: it only grows, so what is missed is the growth of the last moments. */
const everyMs = 20

/**
 * Runs node on all cores to its end.
 *
 * @throws Error with what it printed where it fails
 */
export async function runNode(args: readonly string[]): Promise<Finished> {
  const [command, ...rest] = nodeCommand(args, 'all')
  const started = performance.now()
  const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  let peakMb = 0
  const watch = setInterval(() => {
    try {
      peakMb = Math.max(peakMb, peakResidentMb(child.pid!) || 0)
    } catch {
      // gone between the question and the look
    }
  }, everyMs)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  }).finally(() => clearInterval(watch))
  const seconds = (performance.now() - started) / 1000
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}: ${said}`)
  return { seconds, peakMb }
}

/**
 * What a script of node prints, run on all cores in a folder.
 *
 * @throws Error where it fails
 */
export function printedBy(args: readonly string[], cwd = process.cwd()): string {
  const [command, ...rest] = nodeCommand(args, 'all')
  return execFileSync(command, rest, { cwd, encoding: 'utf8' })
}
