import { signal } from '@preact/signals'

/** A statement that was run here. */
export interface Past {
  readonly statement: string
  /** When it was last run, ms since 1970. */
  readonly at: number
  /** How it ended, such as `58 rows`. */
  readonly outcome: string
}

const key = 'bioprocess-sql.statements'
/** Statements that are kept, and the longest one, in characters. */
const [most, longest] = [50, 20_000]

/** The statements of this browser, the latest first, each once. */
export const past = signal<readonly Past[]>(read())

/** Notes a statement that was run. */
export function remember(statement: string, outcome: string): void {
  if (statement.length > longest) return
  const others = past.value.filter((one) => one.statement !== statement)
  write([{ statement, outcome, at: Date.now() }, ...others].slice(0, most))
}

/** Forgets all statements. */
export const forget = (): void => write([])

function write(next: readonly Past[]): void {
  past.value = next
  try {
    localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // the storage is full or forbidden: the list lasts as long as the page
  }
}

function read(): readonly Past[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isPast) : []
  } catch {
    return []
  }
}

function isPast(value: Partial<Past> | null): value is Past {
  return (
    typeof value?.statement === 'string' && typeof value.at === 'number' && typeof value.outcome === 'string'
  )
}
