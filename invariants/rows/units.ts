/** Exponents of kg, m, s, A, K and mol. */
export type Dimension = Readonly<Record<string, number>>

/** The dimension of a unit and its value in SI units: `mL` is 1e-6 of `{m: 3}`. */
export interface UnitMeaning {
  factor: number
  dimension: Dimension
}

const plain: Dimension = {}
const volume: Dimension = { m: 3 }
const time: Dimension = { s: 1 }
const mass: Dimension = { kg: 1 }
const pressure: Dimension = { kg: 1, m: -1, s: -2 }

/** Units without a prefix. Units with a scale of their own (°C, AU) have factor 1; only their dimension is right. */
const atoms: Readonly<Record<string, UnitMeaning>> = {
  '%': { factor: 0.01, dimension: plain },
  AU: { factor: 1, dimension: plain },
  OD: { factor: 1, dimension: plain },
  cells: { factor: 1, dimension: plain },
  cell: { factor: 1, dimension: plain },
  m: { factor: 1, dimension: { m: 1 } },
  L: { factor: 1e-3, dimension: volume },
  l: { factor: 1e-3, dimension: volume },
  g: { factor: 1e-3, dimension: mass },
  s: { factor: 1, dimension: time },
  sec: { factor: 1, dimension: time },
  min: { factor: 60, dimension: time },
  h: { factor: 3600, dimension: time },
  hr: { factor: 3600, dimension: time },
  d: { factor: 86_400, dimension: time },
  day: { factor: 86_400, dimension: time },
  rpm: { factor: 1 / 60, dimension: { s: -1 } },
  A: { factor: 1, dimension: { A: 1 } },
  K: { factor: 1, dimension: { K: 1 } },
  '°C': { factor: 1, dimension: { K: 1 } },
  mol: { factor: 1, dimension: { mol: 1 } },
  M: { factor: 1000, dimension: { mol: 1, m: -3 } },
  Osm: { factor: 1, dimension: { mol: 1 } },
  Pa: { factor: 1, dimension: pressure },
  bar: { factor: 1e5, dimension: pressure },
  mmHg: { factor: 133.322, dimension: pressure },
  psi: { factor: 6894.76, dimension: pressure },
  F: { factor: 1, dimension: { kg: -1, m: -2, s: 4, A: 2 } },
}

const prefixes: Readonly<Record<string, number>> = {
  p: 1e-12,
  n: 1e-9,
  µ: 1e-6,
  μ: 1e-6,
  u: 1e-6,
  m: 1e-3,
  c: 1e-2,
  d: 1e-1,
  k: 1e3,
  M: 1e6,
}
/** Units that take no prefix. */
const bare = new Set([
  '%',
  'AU',
  'OD',
  'cells',
  'cell',
  'min',
  'h',
  'hr',
  'd',
  'day',
  'rpm',
  '°C',
  'mmHg',
  'psi',
])

/**
 * The meaning of a unit: `mmol/L/h`, `1e6 cells/mL`, `L h^-1`, or the empty string for a plain number. Undefined if a
 * part of it is unknown.
 */
export function unitOf(text: unknown): UnitMeaning | undefined {
  if (typeof text !== 'string') return undefined
  const known = read.get(text)
  if (known !== undefined) return known ?? undefined
  const meaning = parse(text)
  if (read.size < 1000) read.set(text, meaning ?? null)
  return meaning
}

const read = new Map<string, UnitMeaning | null>()

function parse(text: string): UnitMeaning | undefined {
  let whole: UnitMeaning = { factor: 1, dimension: plain }
  for (const [index, divisors] of text.split('/').entries()) {
    for (const part of divisors.split(/[\s*·]+/).filter((part) => part !== '')) {
      const meaning = partOf(part)
      if (!meaning) return undefined
      whole = product(whole, meaning, index === 0 ? 1 : -1)
    }
  }
  return whole
}

/** One factor of a unit: a number, or a unit with prefix and power (`h-1`, `m^3`, `m3`). */
function partOf(part: string): UnitMeaning | undefined {
  if (/^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(part)) return { factor: Number(part), dimension: plain }
  const [, name = '', power = '1'] = /^(\D+?)\^?(-?\d)?$/.exec(part) ?? []
  const atom = Object.hasOwn(atoms, name) ? atoms[name] : prefixed(name)
  return atom && product({ factor: 1, dimension: plain }, atom, Number(power))
}

function prefixed(name: string): UnitMeaning | undefined {
  const [prefix, rest] = [name.charAt(0), name.slice(1)]
  if (bare.has(rest) || !Object.hasOwn(atoms, rest) || !Object.hasOwn(prefixes, prefix)) return undefined
  const { factor, dimension } = atoms[rest]!
  return { factor: prefixes[prefix]! * factor, dimension }
}

function product(one: UnitMeaning, other: UnitMeaning, power: number): UnitMeaning {
  const dimension: Record<string, number> = { ...one.dimension }
  for (const [base, exponent] of Object.entries(other.dimension))
    dimension[base] = (dimension[base] ?? 0) + power * exponent
  return { factor: one.factor * other.factor ** power, dimension: withoutZeros(dimension) }
}

const withoutZeros = (dimension: Dimension): Dimension =>
  Object.fromEntries(Object.entries(dimension).filter(([, exponent]) => exponent !== 0))

/**
 * The dimension of a `base_units` object that maps units to exponents, such as `{kg: 1, m: -3}`; undefined if it is empty
 * or has another form. The contract does not show its keys.
 */
export function dimensionOf(baseUnits: unknown): Dimension | undefined {
  if (typeof baseUnits !== 'object' || baseUnits === null) return undefined
  let whole: UnitMeaning = { factor: 1, dimension: plain }
  const entries = Object.entries(baseUnits)
  for (const [name, exponent] of entries) {
    const meaning = unitOf(name)
    if (!meaning || typeof exponent !== 'number') return undefined
    whole = product(whole, meaning, exponent)
  }
  return entries.length > 0 ? whole.dimension : undefined
}

/** Whether two dimensions are the same. With `amounts`, for substances with a molar mass, mol and kg are the same. */
export function sameDimension(one: Dimension, other: Dimension, amounts = false): boolean {
  const [first, second] = [one, other].map((dimension) => (amounts ? inMass(dimension) : dimension))
  const bases = new Set([...Object.keys(first!), ...Object.keys(second!)])
  return [...bases].every((base) => (first![base] ?? 0) === (second![base] ?? 0))
}

function inMass({ mol = 0, kg = 0, ...others }: Dimension): Dimension {
  return { ...others, kg: kg + mol }
}

/** The factor from `unit` to `wanted`; NaN if unknown. */
export function conversion(unit: unknown, wanted: string): number {
  if (unit === wanted) return 1
  const [from, to] = [unitOf(unit), unitOf(wanted)]
  return from && to && sameDimension(from.dimension, to.dimension) ? from.factor / to.factor : Number.NaN
}
