import { contract } from '../../schemas/contract.ts'
import type { Profile, ViewName } from '../../schemas/generated/types.ts'
import { inSnakeCase, withoutAlias } from '../../schemas/reading/column-names.ts'
import { isDateNotation } from '../../schemas/reading/date-literals.ts'
import { view as definitionOf } from '../../schemas/views.ts'
import { ClientUsageError } from '../errors.ts'
import type { DateLiteral } from '../literals.ts'
import type { Row } from './rows.ts'

/** What a client asks in another way because its service needs it. Reading needs no profile: answers show their form. */
export interface Adaptation {
  /** How date literals are written (delta.literal). */
  readonly dateLiteral: DateLiteral
  /** Statements name all columns, because rows are arrays without names (rows.shape). */
  readonly namesColumns: boolean
  /** The join is two reads, because one statement cannot keep both columns of one name (rows.duplicates, rows.shape). */
  readonly joinsItself: boolean
  /** Only documented statements are sent: no order, no other filter (sql.accept, sql.filters). */
  readonly onlyDocumented: boolean
  /** An answer with this many rows is truncated (rows.max). */
  readonly maxRows: number | undefined
  /** Columns that the views lack, by view. */
  readonly missing: Readonly<Partial<Record<ViewName, readonly string[]>>>
  /** The documented name of a key in rows of any statement (rows.case, rows.shape). */
  readonly nameOf: ((key: string) => string) | undefined
}

/**
 * The adaptation to the service of a profile, as `conformance --profile-out` records it. Variants that need none, and
 * variants that this version does not know, change nothing.
 *
 * @throws ClientUsageError for another version of the contract, or a value that is no profile
 */
export function adaptationTo(profile: Profile | undefined, dateLiteral: DateLiteral | undefined): Adaptation {
  const variants = variantsOf(profile)
  const { 'rows.shape': shape, 'rows.duplicates': duplicates = '', 'sql.accept': accept = '' } = variants
  const literal = variants['delta.literal'] ?? ''
  const max = /-(\d+)$/.exec(variants['rows.max'] ?? '')?.[1]
  return {
    dateLiteral: dateLiteral ?? (isDateNotation(literal) ? literal : 'as-given'),
    namesColumns: shape === 'array',
    joinsItself: shape === 'array' || ['first', 'error'].includes(duplicates),
    onlyDocumented: ['documented', 'allow-list'].includes(accept) || variants['sql.filters'] === 'refused',
    maxRows: max === undefined ? undefined : Number(max),
    missing:
      variants['timeseries-data.last-updated-at'] === 'absent'
        ? { v_timeseries_data: ['last_updated_at'] }
        : {},
    nameOf: nameReader(variants),
  }
}

/** The columns that statements over a view name; undefined for all, as `*`. */
export function namedColumns(
  { namesColumns, missing }: Adaptation,
  view: ViewName,
  columns: readonly string[] | undefined,
): readonly string[] | undefined {
  const absent = missing[view] ?? []
  const asked = columns?.find((name) => absent.includes(name))
  if (asked !== undefined)
    throw new ClientUsageError(`According to the profile, ${view} has no column ${asked}. Leave it out.`)
  if (columns !== undefined || !namesColumns) return columns
  return definitionOf(view)
    .columns.map(({ name }) => name)
    .filter((name) => !absent.includes(name))
}

/** Rows of any statement with the documented names. */
export const renamed = (rows: Row[], { nameOf }: Adaptation): Row[] =>
  nameOf === undefined
    ? rows
    : rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [nameOf(key), value])))

/** How the keys of rows get their documented names (rows.case, rows.shape); undefined if they have them. */
function nameReader(variants: Readonly<Record<string, string>>): Adaptation['nameOf'] {
  const { 'rows.case': spelling = 'lower', 'rows.shape': shape } = variants
  if (spelling !== 'lower' && spelling !== 'as-stored') return inSnakeCase
  return shape === 'prefixed' ? withoutAlias : undefined
}

function variantsOf(profile: Profile | undefined): Readonly<Record<string, string>> {
  if (profile === undefined) return {}
  const { contract: version, variants } = (profile ?? {}) as Partial<Profile>
  if (typeof variants !== 'object' || variants === null)
    throw new ClientUsageError(
      'The profile has no variants. Give the JSON that conformance --profile-out wrote.',
    )
  if (version !== contract.version)
    throw new ClientUsageError(
      `The profile is of the contract version ${version}; this client speaks ${contract.version}. Record the profile again.`,
    )
  return variants
}
