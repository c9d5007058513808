/** What some work comes to; the reason of the signal where that aborts first, whether or not the work heeds it. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise<T>((resolve, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}

/** Waits; rejects with the reason of the signal when that aborts. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await untilAborted(over, signal)
  } finally {
    clearTimeout(timer)
  }
}
