import { execFileSync, spawn } from 'node:child_process'
import { nodeCommand } from './cores.ts'
import { peakResidentMb } from './process.ts'

export interface Finished {
  /** From the creation of the process to its exit. */
  readonly seconds: number
  /** Highest resident memory, MB. */
  readonly peakMb: number
}

/** Interval between two reads of the peak, which misses only the last growth. */
const everyMs = 20

/** Runs Node on all cores. @throws Error with the output if it fails */
export async function runNode(args: readonly string[]): Promise<Finished> {
  const [command, ...rest] = nodeCommand(args, 'all')
  const started = performance.now()
  const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  let peakMb = 0
  const watch = setInterval(() => {
    try {
      peakMb = Math.max(peakMb, peakResidentMb(child.pid!) || 0)
    } catch {
      // the process has exited
    }
  }, everyMs)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  }).finally(() => clearInterval(watch))
  const seconds = (performance.now() - started) / 1000
  if (code !== 0) throw new Error(`node ${args.join(' ')} exited with ${code}: ${output}`)
  return { seconds, peakMb }
}

/** The output of a Node script, run on all cores. @throws Error if it fails */
export function printedBy(args: readonly string[], cwd = process.cwd()): string {
  const [command, ...rest] = nodeCommand(args, 'all')
  return execFileSync(command, rest, { cwd, encoding: 'utf8' })
}
