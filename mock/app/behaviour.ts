import { undocumented } from '../../schemas/generated/undocumented.ts'
import type { RowFormat } from '../engine/engine.ts'

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
  }
}

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
