import { cpus, loadavg, platform, release, totalmem } from 'node:os'
import { placement } from './cores.ts'
import { machineMs, ownCpuMs } from './process.ts'

/** What the figures were measured on, a line each. */
export function describeMachine(): string[] {
  const [first] = cpus()
  return [
    `${cpus().length} cores (${first?.model.trim()}), ${Math.round(totalmem() / 1e9)} GB, ${platform()} ${release()}`,
    `node ${process.version}, ${placement}`,
  ]
}

/** Load average of the last minute. */
export const loadAverage = (): string => loadavg()[0]!.toFixed(2)

/**
 * Watches what else the machine does.
 *
 * @returns a function that tells the share of all processor time that strangers took since, 0 to 1. Servers count as
 *   ours once they have ended.
 */
export function watchStrangers(): () => number {
  const [machine, own] = [machineMs(), ownCpuMs()]
  return () => {
    const now = machineMs()
    const strangers = now.busy - machine.busy - (ownCpuMs() - own)
    return Math.max(0, strangers / Math.max(1, now.all - machine.all))
  }
}
