import { implement } from '../implement.ts'
import type { SyntaxRule } from '../kinds.ts'
import { type Fields, fieldsOf, listOf, namesOf, walk } from '../../syntax/tree.ts'

/** A text literal and the type that it is cast to. */
interface Literal {
  readonly text: string
  readonly type: string | undefined
}

function literalIn(value: unknown): Literal | undefined {
  const cast = fieldsOf(value, 'TypeCast')
  const text = fieldsOf(cast ? cast['arg'] : value, 'A_Const')?.['sval'] as Fields | undefined
  if (text === undefined) return undefined
  const type = cast && (namesOf((cast['typeName'] as Fields)['names']).at(-1) ?? '')
  return { text: String(text['sval']), type }
}

const isCursor = (value: unknown) =>
  namesOf(fieldsOf(value, 'ColumnRef')?.['fields']).at(-1) === 'last_updated_at'

/** The literals that `last_updated_at` is compared with. */
function boundsIn(select: Fields): Literal[] {
  const bounds: Literal[] = []
  walk({ SelectStmt: select }, ({ lexpr, rexpr }, type) => {
    if (type !== 'A_Expr' || !(isCursor(lexpr) || isCursor(rexpr))) return
    // BETWEEN and IN have a list on their right
    for (const other of [lexpr, rexpr, ...listOf(fieldsOf(rexpr, 'List')?.['items'])]) {
      const literal = literalIn(other)
      if (literal !== undefined) bounds.push(literal)
    }
  })
  return bounds
}

const only =
  (example: string, isSpelled: (literal: Literal) => boolean): SyntaxRule =>
  (select) =>
    boundsIn(select).every(isSpelled)
      ? undefined
      : `This server accepts dates only in the form ${example}. Write the bound of last_updated_at like that.`

const plain =
  (pattern: RegExp) =>
  ({ text, type }: Literal): boolean =>
    type === undefined && pattern.test(text)

export const dateLiterals = implement<'delta.literal', SyntaxRule | undefined>('delta.literal', {
  all: undefined,
  'quoted-date': only("'2025-01-31'", plain(/^\d{4}-\d\d-\d\d$/)),
  'iso-date-time': only("'2025-01-31T12:00:00Z'", plain(/^\d{4}-\d\d-\d\dT\d\d:\d\d/)),
  'space-date-time': only("'2025-01-31 12:00:00'", plain(/^\d{4}-\d\d-\d\d \d\d:\d\d/)),
  'date-keyword': only("DATE '2025-01-31'", ({ type }) => type === 'date'),
  'timestamp-keyword': only("TIMESTAMP '2025-01-31 12:00:00'", ({ type }) => type === 'timestamp'),
})
