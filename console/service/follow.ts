/**
 * Asks the server again and again, a second apart: tests and other pages change its state too. A question that fails is asked
 * again, because the server may be restarting.
 *
 * @param ask ends early if its signal aborts
 * @returns a function that stops
 * @example
 * useEffect(() => follow(() => readControls(service)), [service])
 */
export function follow(ask: (signal: AbortSignal) => Promise<void>): () => void {
  const leaving = new AbortController()
  void repeat()
  return () => leaving.abort()

  async function repeat() {
    while (!leaving.signal.aborted) {
      await ask(leaving.signal).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}
