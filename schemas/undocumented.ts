import { isSetting, openPoints, type Variant } from './open-points.ts'

/** @deprecated An open point in the shape of package version 0.1. Use `OpenPoint`. */
export interface Undocumented {
  /** The number of the open point. */
  readonly id: string
  /** Its id; null if the open point is not a setting. */
  readonly knob: string | null
  readonly clause: { readonly section: string; readonly lines: string }
  readonly text: string
  readonly probe: string
  readonly default: string
  readonly variants: readonly Variant[]
}

/** @deprecated Use `openPoints`. */
export const undocumented: readonly Undocumented[] = openPoints.map((point) => ({
  id: point.number,
  knob: isSetting(point.id) ? point.id : null,
  clause: point.clause,
  text: point.question,
  probe: point.probe,
  default: point.default,
  variants: point.variants,
}))
