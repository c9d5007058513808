import { type Inputs, useEffect, useState } from 'preact/hooks'

/** What a question has given: neither until it is answered. Other inputs ask it again. */
export function useRead<T>(
  read: (signal: AbortSignal) => Promise<T>,
  inputs: Inputs,
): { readonly value?: T; readonly problem?: Error } {
  const [state, setState] = useState<{ value?: T; problem?: Error }>({})
  useEffect(() => {
    const leaving = new AbortController()
    const show = (next: typeof state) => {
      if (!leaving.signal.aborted) setState(next)
    }
    read(leaving.signal).then(
      (value) => show({ value }),
      (problem: Error) => show({ problem }),
    )
    return () => leaving.abort()
  }, inputs)
  return state
}
