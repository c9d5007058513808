/** The most keys that are remembered: a server that runs for weeks must not grow. */
const mostKeys = 1000

/** Sets an entry as the latest one, and removes the oldest if there are too many. */
export function remember<T>(entries: Map<string, T>, key: string, value: T): void {
  entries.delete(key)
  entries.set(key, value)
  if (entries.size > mostKeys) entries.delete(entries.keys().next().value!)
}
