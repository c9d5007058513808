/** `12.3 kB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** `12 ms`, `1.24 s`. */
export const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`

/** `1,234 rows`, `1 row`. */
export const count = (n: number, one: string): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : `${one}s`}`

/** A value of a row as text; objects as JSON. */
export const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/** `12-16 04:46`, in UTC; empty for no time. */
export function shortTime(time: string | number): string {
  const date = new Date(time)
  return Number.isNaN(Number(date)) ? '' : date.toISOString().slice(5, 16).replace('T', ' ')
}
