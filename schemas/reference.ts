import type { OpenPoint } from './open-points.ts'
import type { Requirement } from './requirements.ts'

/** The page with the whole contract, relative to the root of the package. */
export const contractPage = 'docs/contract.md'

/** The anchor of a requirement on the contract page: `req-sql-7` for `REQ-SQL-7`. */
export const requirementAnchor = (id: Requirement['id']): string =>
  id.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '-')

/** The anchor of an open point on the contract page: `open-rows-case` for `rows.case`. */
export const openPointAnchor = (id: OpenPoint['id']): string => `open-${id.replaceAll('.', '-')}`

/** A requirement as a whole sentence: `A server MUST return at most n rows for LIMIT n.` */
export const sentenceOf = ({ level, side, text }: Pick<Requirement, 'level' | 'side' | 'text'>): string =>
  level === 'observe' ? text : `A ${side} ${text}`
