import type { ViewName, ViewRows } from '../schemas/generated/types.ts'

/** All rows of the nine views. */
export type Tables = { readonly [V in ViewName]: readonly ViewRows[V][] }
