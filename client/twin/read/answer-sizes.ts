import type { ViewName } from '../../../schemas/index.ts'

/**
 * The sizes of answers, which show whether a service caps them without notice: a cap is at least as large as the largest answer.
 */
export class AnswerSizes {
  readonly #largest = new Map<ViewName, number>()

  add(view: ViewName, rows: number): void {
    this.#largest.set(view, Math.max(rows, this.#largest.get(view) ?? 0))
  }

  /** Whether an answer of this many rows may end at a cap: no other view had a larger one. */
  mayBeCap(view: ViewName, rows: number): boolean {
    return rows > 0 && this.#others(view).every((size) => size <= rows)
  }

  /** Whether the largest answers of two views have this many rows, which is hardly chance. */
  isShared(view: ViewName, rows: number): boolean {
    return this.mayBeCap(view, rows) && this.#others(view).includes(rows)
  }

  #others(view: ViewName): number[] {
    return [...this.#largest].filter(([other]) => other !== view).map(([, size]) => size)
  }
}
