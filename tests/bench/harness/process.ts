import { readFileSync, writeFileSync } from 'node:fs'

/** Linux counts processor time in ticks of 10 ms on all platforms of Node. */
const tickMs = 10

const megabyte = 1e6

/** Processor time of a process and its threads, including ended ones, in milliseconds. @throws Error without /proc */
export function cpuMs(pid: number): number {
  const [user, system] = statOf(pid, 11, 13)
  return (user! + system!) * tickMs
}

/** Processor time of this process and its ended children, in milliseconds. */
export const ownCpuMs = (): number => statOf(process.pid, 11, 15).reduce((sum, ticks) => sum + ticks) * tickMs

/** Used and available processor time of the machine since its start, in milliseconds. */
export function machineMs(): { busy: number; all: number } {
  const [line] = readFileSync('/proc/stat', 'utf8').split('\n')
  const ticks = line!.trim().split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, count) => sum + count) * tickMs
  const [idle, waiting] = [ticks[3]!, ticks[4]!]
  return { busy: all - (idle + waiting) * tickMs, all }
}

/** Resident memory of a process in MB (1e6 bytes). */
export const residentMb = (pid: number): number => statusMb(pid, 'VmRSS')

/** Peak resident memory since the start or the last {@link forgetPeak}, in MB. */
export const peakResidentMb = (pid: number): number => statusMb(pid, 'VmHWM')

/** Resets the peak of a process to its current memory. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Fields of /proc/PID/stat after the name, which may contain spaces and brackets. */
function statOf(pid: number, from: number, to: number): number[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text
    .slice(text.lastIndexOf(') ') + 2)
    .split(' ')
    .slice(from, to)
    .map(Number)
}

function statusMb(pid: number, field: string): number {
  const [, kibibytes] =
    new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kibibytes) * 1024) / megabyte
}
