import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { startProcess } from '../../../base/threads/start-process.ts'
import { databaseFile, parserFile } from './code/artifacts.ts'
import { unpackedFile } from './snapshot/packaged-snapshot.ts'
import { codeFile } from './code/stored-code.ts'

/** Tests and short commands end before this time, and save the processor time. In milliseconds. */
const delayMs = 5_000

/** The process needs 330 MB, which a container with less than this may lack. In bytes. */
const leastMemory = 1 << 30

/**
 * Prepares a cache directory for later starts (decisions/0045): the optimised code of database and parser, and the snapshot of the default plant
 * unpacked. That takes some 7 s of a process of low priority, which ends with this one. Failures cost no more than that.
 *
 * @returns stops it
 */
export function prepareLater(cacheDir: string): () => void {
  let started: ChildProcess | undefined
  const timer = setTimeout(() => {
    const memory = process.constrainedMemory()
    if (memory > 0 && memory < leastMemory) return
    const files = [codeFile(databaseFile, cacheDir), codeFile(parserFile, cacheDir), unpackedFile(cacheDir)]
    if (files.every((file) => file === undefined || existsSync(file))) return
    try {
      started = startProcess('./prepare-process.ts', import.meta.url, cacheDir)
    } catch {
      // processes are not permitted here
    }
  }, delayMs)
  timer.unref?.()
  return () => {
    clearTimeout(timer)
    started?.kill()
  }
}
