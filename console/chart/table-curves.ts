import type { Answer } from '../service/answer.ts'
import { isNumber } from '../service/wire-number.ts'
import { type Curve, styleOf, styles } from './curve.ts'

/** The columns of a result that can be an axis, and those that can tell curves apart. */
export interface Axes {
  readonly times: readonly string[]
  readonly numbers: readonly string[]
  readonly groups: readonly string[]
  /** The first of these whose texts are those of several rows, or {@link oneCurve}: a curve is no single point. */
  readonly by: string
}

export const oneCurve = '(one curve)'

/** What is drawn of a result. */
export interface Drawing {
  readonly x: string
  readonly y: string
  /** The column whose texts tell the curves apart, or {@link oneCurve}. */
  readonly by: string
}

const instant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

/** Sorts the columns of a result by what they can be, from its first values. */
export function axesOf({ columns, rows }: Answer): Axes {
  const sample = rows.slice(0, 200)
  const kinds = columns.map((_, index) => {
    const values = sample.map((row) => row[index]).filter((value) => value !== null)
    if (values.length === 0) return 'none'
    if (values.every(isNumber)) return 'number'
    if (!values.every((value) => typeof value === 'string')) return 'none'
    return values.every((value) => instant.test(value)) ? 'time' : 'text'
  })
  const of = (kind: string) => columns.filter((_, index) => kinds[index] === kind)
  const isOfSeveral = (name: string) => {
    const at = columns.indexOf(name)
    return new Set(sample.map((row) => row[at])).size <= sample.length / 2
  }
  const groups = of('text')
  return { times: of('time'), numbers: of('number'), groups, by: groups.find(isOfSeveral) ?? oneCurve }
}

/** A first drawing: the first time and the first number. Undefined if the result has no two axes. */
export function firstDrawing({ times, numbers, by }: Axes): Drawing | undefined {
  const x = times.find((name) => !/updated|created/.test(name)) ?? times[0] ?? numbers[0]
  const y = numbers.find((name) => name === 'value') ?? numbers.find((name) => name !== x)
  if (x === undefined || y === undefined) return undefined
  return { x, y, by }
}

/**
 * The curves of a drawing in the order of x, at most as many as look different. Rows without x or y are left out.
 *
 * @returns also how many curves are left out, and whether most points of a curve have the x of another one: rows of several
 *   curves are in one
 */
export function curvesOf({ columns, rows }: Answer, { x, y, by }: Drawing) {
  const [xAt, yAt, byAt] = [x, y, by].map((name) => columns.indexOf(name)) as [number, number, number]
  const groups = new Map<string, [number, number][]>()
  const left = new Set<string>()
  for (const row of rows) {
    const value = row[xAt]
    const place = isNumber(value) ? Number(value) : Date.parse(String(value)) / 1000
    const height = row[yAt]
    if (!Number.isFinite(place) || !isNumber(height)) continue
    const name = byAt < 0 ? y : String(row[byAt])
    let group = groups.get(name)
    if (!group) {
      if (groups.size === styles) {
        left.add(name)
        continue
      }
      groups.set(name, (group = []))
    }
    group.push([place, Number(height)])
  }
  const curves = [...groups].map(([label, points], index): Curve => {
    points.sort(([a], [b]) => a - b)
    return {
      label,
      ...styleOf(index),
      xs: points.map(([place]) => place),
      ys: points.map(([, height]) => height),
    }
  })
  const isMixed = curves.some(({ xs }) => new Set(xs).size < xs.length / 2)
  return { curves, left: left.size, isMixed }
}
