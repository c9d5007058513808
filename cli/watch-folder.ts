import { watch } from 'node:fs'

/** A folder counts as changed once nothing in it has changed for this time: files are often written one after the other. */
const settledMs = 500

/**
 * Calls `onChange` when files of a folder have changed, one call at a time. Rejections are the caller's.
 *
 * @returns stops watching
 */
export function watchFolder(folder: string, onChange: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let turn = Promise.resolve()
  const watcher = watch(folder, () => {
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
