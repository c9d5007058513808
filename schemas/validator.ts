/** One departure from a schema. */
export interface ValidationError {
  /** JSON pointer to the value that departs. */
  readonly instancePath: string
  /** JSON pointer to the keyword it departs from. */
  readonly schemaPath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
}

/** Whether a value conforms to a schema; `errors` holds the departures of the last call. */
export interface Validator {
  (value: unknown): boolean
  errors?: readonly ValidationError[] | null
}
