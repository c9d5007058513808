import { cpus, loadavg, platform, release, totalmem } from 'node:os'
import { placement } from './cores.ts'
import { machineMs, ownCpuMs } from './process.ts'

/** Describes the machine, in lines. */
export function describeMachine(): string[] {
  const [first] = cpus()
  return [
    `${cpus().length} cores (${first?.model.trim()}), ${Math.round(totalmem() / 1e9)} GB, ${platform()} ${release()}`,
    `node ${process.version}, ${placement}`,
  ]
}

/** The load average of the last minute. */
export const loadAverage = (): string => loadavg()[0]!.toFixed(2)

/**
 * Measures the processor time of other processes.
 *
 * @returns a function that returns their share since the call, 0 to 1. Servers must have exited to count as ours.
 */
export function watchOthers(): () => number {
  const [machine, own] = [machineMs(), ownCpuMs()]
  return () => {
    const now = machineMs()
    const others = now.busy - machine.busy - (ownCpuMs() - own)
    return Math.max(0, others / Math.max(1, now.all - machine.all))
  }
}
