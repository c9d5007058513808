import data from './statements.json' with { type: 'json' }

/** An example of a statement that the contract shows. */
export interface Statement {
  readonly id: string
  /** Where the contract shows it. */
  readonly clause: string
  readonly title: string
  readonly statement: string
}

/** The example statements of the contract (statements.json). */
export const statements: readonly Statement[] = data
