import data from './statements.json' with { type: 'json' }

/** An example statement of the contract. */
export interface Statement {
  readonly id: string
  /** Its place in the contract. */
  readonly clause: string
  readonly title: string
  readonly statement: string
}

/** The example statements of the contract (statements.json). */
export const statements: readonly Statement[] = data
