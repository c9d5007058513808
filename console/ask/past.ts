import { signal } from '@preact/signals'

/** A statement that was run here. */
export interface Past {
  readonly statement: string
  /** When it was last run, ms since 1970. */
  readonly at: number
  /** How it ended, such as `58 rows`. */
  readonly outcome: string
  readonly isSaved: boolean
}

const key = 'bioprocess-sql.statements'
/** Statements that are kept without being saved, and the longest one, in characters. */
const [most, longest] = [50, 20_000]

/** The statements of this browser, the latest first. */
export const past = signal<readonly Past[]>(read())

/** Notes a statement that was run. */
export function remember(statement: string, outcome: string): void {
  if (statement.length <= longest) write(withRun(past.value, { statement, outcome, at: Date.now() }))
}

/** Saves a statement, or no longer does. */
export function toggleSaved(statement: string): void {
  write(past.value.map((one) => (one.statement === statement ? { ...one, isSaved: !one.isSaved } : one)))
}

/** Forgets all statements that are not saved. */
export function forget(): void {
  write(past.value.filter(({ isSaved }) => isSaved))
}

/** The statements after a run: each stands once, saved ones stay, and of the others the latest. */
export function withRun(before: readonly Past[], run: Omit<Past, 'isSaved'>): readonly Past[] {
  const isSaved = before.some((one) => one.isSaved && one.statement === run.statement)
  const others = before.filter(({ statement }) => statement !== run.statement)
  let unsaved = 0
  return [{ ...run, isSaved }, ...others].filter((one) => one.isSaved || ++unsaved <= most)
}

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
