import type { ViewName } from '../../schemas/generated/types.ts'
import { fine, inTurn, type Invariant, type Problems } from '../invariant.ts'
import { say, words, type Message } from '../message.ts'
import type { Row } from '../rows/row.ts'

/** What is wrong with a value. */
export interface Violation {
  column: string
  /** What the contract asks for, as a noun: "a string". */
  expected: Message
  /** What the row has instead, as a noun. */
  actual: Message
}

/** A violation in a list of rows. */
export interface RowViolation extends Violation {
  /** The id of the requirement that is not met. */
  requirement: string
  /** The index of the row in the list. */
  row: number
}

/** Shared, because there are millions of points. */
export const noViolations: readonly Violation[] = []

/** The violations of a row; undefined if it has nothing to judge. */
export type JudgeRow = (row: Row) => readonly Violation[] | undefined

/**
 * One requirement about the rows of a view. Rows may have only some of the columns, and leave out columns that are null: a
 * rule judges the values that are there. Only `rowRules.types` judges the type of a column; the others skip
 * values of a wrong type.
 */
export interface RowRule {
  views: readonly ViewName[]
  /** Whether the rule is about several rows of a view, so that the rows of a join, which repeat, do not count. */
  amongRows?: true
  /** The column whose values are judged, if it is one. Values of another type are skipped. */
  column?: string
  /** The id of the requirement for rows of this view. */
  requirement(view: ViewName): string
  /**
   * Begins to judge rows of a view; the result takes the rows of one answer in turn.
   *
   * @param columns the columns that were read, whether or not every row has them. Default: all
   */
  judge(view: ViewName, columns?: readonly string[]): JudgeRow
}

/** What a rule found in a list of rows. */
export interface RowFindings {
  /** The number of rows judged. With 0, nothing is known. */
  judged: number
  violations: RowViolation[]
}

/** Judges the rows of one answer by a rule. See {@link RowRule.judge} for `columns`. */
export function judgeRows(
  rule: RowRule,
  view: ViewName,
  rows: Iterable<Row>,
  columns?: readonly string[],
): RowFindings {
  const found = [...judgeEach(rule, view, rows, columns)]
  return { judged: found.length, violations: found.flat() }
}

/** Judges rows one after the other: the violations of each row that has something to judge. */
export function* judgeEach(
  rule: RowRule,
  view: ViewName,
  rows: Iterable<Row>,
  columns?: readonly string[],
): Generator<readonly RowViolation[]> {
  const requirement = rule.requirement(view)
  const judge = rule.judge(view, columns)
  let row = 0
  for (const each of rows) {
    const violations = judge(each)
    const at = row++
    if (violations) yield violations.map((violation) => ({ ...violation, requirement, row: at }))
  }
}

/** A rule for single rows. */
export const rowRule = (requirement: string, view: ViewName, judge: JudgeRow): RowRule => ({
  views: [view],
  requirement: () => requirement,
  judge: () => judge,
})

/**
 * A rule for the values of one column.
 *
 * @param isSubject whether the rule applies to a value
 * @param problem what is expected of a value that breaks the rule, and what it is unless the value itself says so;
 *   undefined for other values
 */
export function valueRule<T>(
  requirement: string,
  [view, column]: readonly [ViewName, string],
  isSubject: (value: unknown) => value is T,
  problem: (value: T) => (Partial<Violation> & Pick<Violation, 'expected'>) | undefined,
): RowRule {
  const judge: JudgeRow = ({ [column]: value }) => {
    if (!isSubject(value)) return undefined
    const found = problem(value)
    return found ? [{ column, actual: say`${value}`, ...found }] : noViolations
  }
  return { ...rowRule(requirement, view, judge), column }
}

/** A rule: no two rows of a view have the same key, see {@link notRepeated}. */
export function uniqueRule(
  requirement: string,
  views: readonly ViewName[],
  ...key: Parameters<typeof notRepeated>
): RowRule {
  return { views, amongRows: true, requirement: () => requirement, judge: () => notRepeated(...key) }
}

/**
 * Judges whether the values of some columns together occur once.
 *
 * @param isKey whether a value can be part of a key; rows with other values are not judged. Default: strings
 */
export function notRepeated(
  columns: readonly string[],
  isKey: (value: unknown) => boolean = (value) => typeof value === 'string',
): JudgeRow {
  const seen = new Set<string>()
  return (row) => {
    const values = columns.map((column) => row[column])
    if (!values.every(isKey)) return undefined
    const before = seen.size
    seen.add(JSON.stringify(values))
    if (seen.size > before) return noViolations
    const repeated = values.length === 1 ? values[0] : values
    return [
      {
        column: columns.join(', '),
        expected: words('a value that occurs once'),
        actual: say`${repeated}, which occurs more than once`,
      },
    ]
  }
}

/** The violation as a sentence. */
export const sentenceOf = ({ column, expected, actual }: Violation): Message =>
  say`${words(column)} is ${actual} instead of ${expected}.`

/** An invariant: rows satisfy some rules, all of which are about the same views. */
export function satisfies(id: string, title: string, ...rules: [RowRule, ...RowRule[]]): Invariant {
  return inTurn(id, title, rules[0].views, (view) => inSentences(...rules.map((rule) => rule.judge(view))))
}

/** The problems of a row by some judges: allocates nothing where there are none. */
export function inSentences(...judges: JudgeRow[]): (row: Row) => Problems | undefined {
  return (row) => {
    let problems: Problems | undefined
    for (const judge of judges) {
      const violations = judge(row)
      if (violations?.length) problems = [...(problems ?? fine), ...violations.map(sentenceOf)]
      else if (violations) problems ??= fine
    }
    return problems
  }
}
