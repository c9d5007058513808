import { decisions } from './function-decisions.ts'
import { allowedTypes } from './types.ts'

/** One overload of a function of pg_catalog, as pg_proc describes it. */
export interface Signature {
  readonly name: string
  /** prokind: function, procedure, aggregate or window. */
  readonly kind: 'f' | 'p' | 'a' | 'w'
  /** provolatile: immutable, stable or volatile. */
  readonly volatility: 'i' | 's' | 'v'
  readonly language: string
  readonly strict: boolean
  /** Names in pg_type of the arguments, element types in place of arrays. */
  readonly arguments: readonly string[]
  readonly result: string
  /** Whether an operator calls it, and whether the database calls it for types, aggregates or indexes. */
  readonly behind: 'operator' | 'support' | null
}

/** The verdict on a function name and all its overloads: the gate only sees names. */
export interface Verdict {
  readonly name: string
  /** Undefined if neither a rule nor a decision covers the name. */
  readonly allowed: boolean | undefined
  /** The rule, or the reason given by hand. */
  readonly why: string
}

interface Rule {
  readonly why: string
  readonly allowed: boolean
  readonly covers: (signatures: readonly Signature[]) => boolean
}

/** Types of values that a statement cannot name. */
const impliedTypes: ReadonlySet<string> = new Set(
  `any anyarray anycompatible anycompatiblearray anycompatiblemultirange anycompatiblenonarray
   anycompatiblerange anyelement anymultirange anynonarray anyrange datemultirange int4multirange
   int8multirange nummultirange tsmultirange tstzmultirange`.split(/\s+/),
)

/** Families that read the server, its files, its locks or its catalogues, or run SQL from a text. */
const serverFamilies =
  /^(pg_|_pg_|lo_|lo(read|write)$|txid_|has_|binary_upgrade_|(query|table|schema|database|cursor)_to_|inet_(client|server)|current_setting$|set_config$|currtid|ts_|xml|xpath)/

const isForeign = (type: string) => !allowedTypes.has(type) && !impliedTypes.has(type)

/** The first rule that covers a name decides; decisions made by hand precede all rules. */
const rules: readonly Rule[] = [
  {
    why: 'rule: belongs to a family that reaches the server, its files or its catalogues',
    allowed: false,
    covers: ([first]) => serverFamilies.test(first!.name),
  },
  {
    why: 'rule: volatile, so it may change or reveal something',
    allowed: false,
    covers: (signatures) => signatures.some(({ volatility }) => volatility === 'v'),
  },
  {
    why: 'rule: a procedure',
    allowed: false,
    covers: (signatures) => signatures.some(({ kind }) => kind === 'p'),
  },
  {
    why: 'rule: every overload takes or gives a type that statements have no use for',
    allowed: false,
    covers: (signatures) =>
      signatures.every(({ arguments: types, result }) => [...types, result].some(isForeign)),
  },
  {
    why: 'rule: behind an operator, which is written in its place',
    allowed: false,
    covers: (signatures) => signatures.every(({ behind }) => behind === 'operator'),
  },
  {
    why: 'rule: called by the database for a type, an aggregate, a cast or an index',
    allowed: false,
    covers: (signatures) => signatures.every(({ behind }) => behind !== null),
  },
  {
    why: 'rule: an aggregate',
    allowed: true,
    covers: (signatures) => signatures.every(({ kind }) => kind === 'a'),
  },
  {
    why: 'rule: a window function',
    allowed: true,
    covers: (signatures) => signatures.every(({ kind }) => kind === 'w'),
  },
  {
    why: 'rule: immutable, so it knows its arguments only',
    allowed: true,
    covers: (signatures) =>
      signatures.every(({ volatility, language }) => volatility === 'i' && language !== 'c'),
  },
]

/** Decides on every name, in alphabetical order. */
export function judge(signatures: readonly Signature[]): Verdict[] {
  const byName = new Map<string, Signature[]>()
  for (const signature of signatures) {
    const overloads = byName.get(signature.name)
    if (overloads) overloads.push(signature)
    else byName.set(signature.name, [signature])
  }
  return [...byName.keys()].sort().map((name) => {
    const decision = decisions.find(({ names }) => names.includes(name))
    if (decision) return { name, allowed: decision.allowed, why: `by hand: ${decision.why}` }
    const rule = rules.find(({ covers }) => covers(byName.get(name)!))
    return { name, allowed: rule?.allowed, why: rule?.why ?? 'undecided' }
  })
}
