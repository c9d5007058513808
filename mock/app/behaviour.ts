import { undocumented } from '../../schemas/generated/undocumented.ts'
import { withheldBy } from './auth/permission.ts'
import { dataKnobs, partlyData } from './data-knobs.ts'
import {
  type DataVariants,
  defaultRowFormat,
  defaultSqlRules,
  type ExecuteOptions,
  type RowFormat,
  type SqlRules,
} from '../engine/engine.ts'

/**
 * The knobs the server has, with the variants it can take on; the first is what it does unasked,
 * which is the register's default. A knob begins
 * here with one line and ends in the one stage that reads `behaviour['its.name']`. The register knows more
 * knobs and variants than these: asking for one of those is refused, never ignored.
 */
const built = {
  'rows.shape': ['object', 'array-with-columns', 'array', 'wrapped', 'prefixed'],
  'rows.order': ['stable', 'random'],
  'rows.duplicates': ['last', 'first', 'suffix', 'alias-prefix', 'array', 'repeated-keys', 'error'],
  'rows.nulls': ['null', 'omitted', 'empty-string'],
  'ts.format': [
    'micros-offset',
    'micros-z',
    'millis-z',
    'seconds-z',
    'nanos-z',
    'trimmed',
    'hour-offset',
    'local-offset',
    'no-zone',
    'space-separator',
    'epoch-millis',
  ],
  'rows.case': ['lower', 'as-stored', 'upper', 'camel'],
  'num.encoding': ['number', 'string', 'decimal-point', 'exponent', 'big-integer'],
  'num.nonfinite': ['null', 'quoted-nan', 'bare-nan', 'error'],
  'json.encoding': ['native', 'text'],
  'delta.precision': ['full', 'printed-millis'],
  'delta.zone': ['utc', 'session-zone', 'text-comparison'],
  'delta.literal': [
    'all',
    'quoted-date',
    'iso-date-time',
    'space-date-time',
    'date-keyword',
    'timestamp-keyword',
  ],
  'sql.accept': ['select-only', 'documented', 'allow-list', 'any'],
  'sql.multi': ['error', 'first', 'last', 'all-last-result', 'merged'],
  'sql.empty': ['error', 'success', '400', '422'],
  'sql.semicolon': ['accepted', 'error'],
  'sql.filters': ['accepted', 'refused'],
  'rows.max': ['none', 'cut-1000', 'error-1000', '413-1000', 'truncated-1000', 'next-link-1000'],
  'http.noSlash': ['404', '200', '307', '301'],
  'http.success': ['200', '201', '202', '207'],
  'http.unknownView': ['200', '400', '404', '422', '500'],
  'http.exception': ['200', '400', '500', '502'],
  'http.jsonError': ['200', '400', '415', '422', '500'],
  'http.badRequest': ['400', '422', '200-envelope', '500'],
  'http.ctPolicy': ['415', 'ignored', '400', '422'],
  'http.extraKeys': ['ignored', '400', '422'],
  'http.headers': ['no-store', 'none', 'gzip', 'cors', 'etag'],
  'err.jsonText': [
    'decode-error-parser-text',
    'parser-text',
    'parse-error',
    'unexpected-token',
    'decode-error',
    'invalid-json',
  ],
  'err.sqlSyntax': [
    'decode-error-database-text',
    'decode-error',
    'database-text',
    'database-text-line',
    'generic',
  ],
  'err.relationText': [
    'exact',
    'error-prefix',
    'driver-prefix',
    'line-suffix',
    'background-suffix',
    'backslashes',
    '63-bytes',
    'schema-qualified',
  ],
  'err.generic': ['all-other', 'non-sql-only', 'never'],
  'msg.success': ['executed', 'success', 'empty', 'row-count'],
  'msg.empty': ['ran-no-results', 'no-results'],
  'rate.mode': ['none', '429-retry-after', '429-ratelimit', '429-x-ratelimit', '503', '403'],
  'stmt.max': ['413', 'none', '414', '400', 'error', 'reset'],
  'timeout.body': ['envelope', 'html', 'message', 'problem-json', 'empty'],
  'timeout.mode': ['hard', 'second-early', 'second-late', 'reset', 'runs-on'],
  'auth.mode': ['static', 'client-credentials', 'authorization-code'],
  'auth.permission': ['none', '401-mid-run', '403', 'permission-denied', 'view-hidden', 'rows-filtered'],
  'auth.missing': ['401', '403', '400', '302-login', '200-envelope'],
  'auth.invalid': ['401', '403', '200-envelope'],
  'auth.expired': ['401', '403', '419'],
  'auth.body': ['envelope', 'detail', 'message', 'error-object', 'problem-json', 'html', 'empty'],
  'schema.extra': ['none', 'additive', 'new-version'],
  ...dataKnobs,
} as const

type Built = typeof built

/** What the server does where the contract is silent: one variant per knob. Frozen; every stage reads its own part. */
export type Behaviour = { readonly [Knob in keyof Built]: Built[Knob][number] }

/** The reference server's own choice at every knob. */
export const defaultBehaviour = Object.freeze(
  Object.fromEntries(Object.entries(built).map(([knob, slugs]) => [knob, slugs[0]])),
) as Behaviour

/** A variant was asked for that the server does not have. The message names those it has. */
export class UnknownVariant extends Error {
  override readonly name = 'UnknownVariant'
}

/** Slug by knob. */
export type Variants = Readonly<Record<string, string>>

/**
 * Sets knobs on top of a behaviour, all or none.
 *
 * @param variants slug per knob, as `--variant`, a profile or the header `X-Mock-Variant` give them
 * @throws UnknownVariant that names every knob and slug that the register does not know or the server has not built
 */
export function createBehaviour(variants: Variants, base = defaultBehaviour): Behaviour {
  const wrong = Object.entries(variants).filter(([knob, slug]) => !canTakeOn(knob, slug))
  if (wrong.length > 0) throw new UnknownVariant(explainAll(wrong))
  const taken = Object.entries(variants).filter(([knob, slug]) => isBuilt(knob, slug))
  return Object.freeze({ ...base, ...Object.fromEntries(taken) })
}

/** Whether the server can take a variant on. */
export const canTakeOn = (knob: string, slug: string): boolean => isBuilt(knob, slug) || isDefault(knob, slug)

/**
 * Reads the header `X-Mock-Variant: <knob>=<slug>, <knob>=<slug>`.
 *
 * @throws UnknownVariant when it is not of that form
 */
export function parseVariants(header: string): Record<string, string> {
  return Object.fromEntries(
    header.split(',').map((part) => {
      const [, knob, slug] = /^\s*([\w.]+)\s*=\s*([\w-]+)\s*$/.exec(part) ?? []
      if (knob === undefined || slug === undefined) {
        throw new UnknownVariant(
          `"${part.trim()}" is not a variant. Write <knob>=<slug>, such as rows.shape=array.`,
        )
      }
      return [knob, slug]
    }),
  )
}

/** The HTTP status that the variant of an `http.*` knob stands for: the number its slug begins with. */
export function statusOf(slug: string): number {
  return Number.parseInt(slug, 10)
}

/** The part of a behaviour that the engine reads when it writes rows. */
export function rowFormat(behaviour: Behaviour): RowFormat {
  return {
    shape: behaviour['rows.shape'],
    duplicates: behaviour['rows.duplicates'],
    order: behaviour['rows.order'],
    nulls: behaviour['rows.nulls'],
    timestamps: behaviour['ts.format'],
    precision: behaviour['delta.precision'],
    case: behaviour['rows.case'],
    numbers: behaviour['num.encoding'],
    nonFinite: behaviour['num.nonfinite'],
    json: behaviour['json.encoding'],
  }
}

/** What the engine reads of a behaviour. Found once for each behaviour: most requests share one. */
export function engineOptions(behaviour: Behaviour): Omit<ExecuteOptions, 'signal'> {
  const known = options.get(behaviour)
  if (known) return known
  const data = dataVariants(behaviour)
  const rules = sqlRules(behaviour)
  const format = rowFormat(behaviour)
  const found = {
    ...(!isUsual(format, defaultRowFormat) && { format }),
    ...(rules && { rules }),
    ...(data && { data }),
  }
  options.set(behaviour, found)
  return found
}

const options = new WeakMap<Behaviour, Omit<ExecuteOptions, 'signal'>>()

/** The variants that are in the data; undefined where the data are as they are. */
function dataVariants(behaviour: Behaviour): DataVariants | undefined {
  const set = Object.entries(behaviour).filter(([knob, slug]) => isInData(knob, slug))
  return set.length === 0 ? undefined : Object.fromEntries(set)
}

function isInData(knob: string, slug: string): boolean {
  const [, ...slugs] = (dataKnobs as Record<string, readonly string[]>)[knob] ?? []
  return [...slugs, ...((partlyData as Record<string, readonly string[]>)[knob] ?? [])].includes(slug)
}

/** How statements are taken; undefined where they are taken as they always are. */
export function sqlRules(behaviour: Behaviour): SqlRules | undefined {
  const rules: SqlRules = {
    accept: behaviour['sql.accept'],
    several: behaviour['sql.multi'],
    empty: behaviour['sql.empty'] === 'success' ? 'success' : 'refused',
    semicolon: behaviour['sql.semicolon'],
    filters: behaviour['sql.filters'],
    dates: behaviour['delta.literal'],
    zone: behaviour['delta.zone'] === 'session-zone' ? 'session-zone' : 'utc',
    withheld: withheldBy(behaviour),
  }
  return isUsual(rules, defaultSqlRules) ? undefined : rules
}

const isUsual = <T extends object>(part: T, usual: T): boolean =>
  Object.keys(usual).every((name) => part[name as keyof T] === usual[name as keyof T])

const slugsOf = (knob: string): readonly string[] =>
  Object.hasOwn(built, knob) ? built[knob as keyof Built] : []
const registered = (knob: string) => undocumented.find((entry) => entry.knob === knob)
const isBuilt = (knob: string, slug: string) => slugsOf(knob).includes(slug)

/** The default of any knob is what the server does already, whether or not the knob can be turned. */
const isDefault = (knob: string, slug: string) => registered(knob)?.default === slug

function explainAll(wrong: readonly (readonly [knob: string, slug: string])[]): string {
  const unknown = wrong.filter(([knob]) => registered(knob) === undefined)
  const sentences = [
    ...unknown.map(([knob]) => `There is no knob ${JSON.stringify(knob)}.`),
    ...(unknown.length > 0 ? [`The knobs are: ${knobs().join(', ')}.`] : []),
    ...wrong.filter((one) => !unknown.includes(one)).map(([knob, slug]) => explain(knob, slug)),
  ]
  return sentences.join(' ')
}

const knobs = () => undocumented.flatMap(({ knob }) => knob ?? []).sort()

function explain(knob: string, slug: string): string {
  const slugs = registered(knob)!.variants.map((variant) => variant.slug)
  if (!slugs.includes(slug))
    return `The knob ${knob} has no variant ${JSON.stringify(slug)}. It has: ${slugs.join(', ')}.`
  const here = slugs.filter((slug) => canTakeOn(knob, slug))
  return `The variant ${knob}=${slug} is known but this server cannot take it on yet. It can take on: ${here.join(', ')}.`
}
