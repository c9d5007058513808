import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** A folder counts as changed once nothing in it has changed for this time: files are often written one after the other. */
const settledMs = 500

/**
 * Calls `onChange` when a file has changed or another one has taken its place.
 *
 * @returns stops watching
 */
export function watchFile(file: string, onChange: () => Promise<void>): () => void {
  const name = basename(file)
  // Kubernetes replaces the files of a volume by one link of this name
  return watchFolder(dirname(file), onChange, (changed) => changed === name || changed === '..data')
}

/**
 * Calls `onChange` when files of a folder have changed, one call at a time. Rejections are the caller's.
 *
 * @param concerns whether a file of the folder is one to watch; default: all
 * @returns stops watching
 */
export function watchFolder(
  folder: string,
  onChange: () => Promise<void>,
  concerns: (file: string) => boolean = () => true,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let turn = Promise.resolve()
  const watcher = watch(folder, (_, file) => {
    if (file !== null && !concerns(file)) return
    clearTimeout(timer)
    timer = setTimeout(() => (turn = turn.then(onChange)), settledMs)
  })
  // a folder that is deleted keeps its last rows
  watcher.on('error', () => {})
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
