import { type Fields, fieldsOf, namesOf, walk } from '../syntax-tree.ts'
import { volatileFunctionNames } from './generated/allowed-functions.ts'

/** Functions that read the clock of the transaction, which PostgreSQL calls stable. */
const clocks = ['now', 'transaction_timestamp', 'statement_timestamp', 'age']
const timeTypes: ReadonlySet<string> = new Set(
  'date time timetz timestamp timestamptz daterange tsrange tstzrange'.split(' '),
)
const changing: ReadonlySet<string> = new Set([...volatileFunctionNames, ...clocks, ...timeTypes])

/** Texts that a cast to a time may read as the current one. */
const clockText = /now|today|tomorrow|yesterday/i

/** Whether a text may stand for the current time. */
export const mayBeClock = (text: string): boolean => clockText.test(text)

/**
 * Whether a statement gives the same rows each time over data that do not change: it calls no volatile function, reads no
 * clock, and casts nothing but constants to times, because another text may turn out to be `now`.
 *
 * @param except places of constants that are not looked at
 */
export function isRepeatable(select: Fields, except: ReadonlySet<number> = new Set()): boolean {
  let repeatable = true
  walk(select, (fields, type) => {
    if (type === 'SQLValueFunction') repeatable = false
    if (type === 'FuncCall' && changing.has(namesOf(fields['funcname']).at(-1) ?? '')) repeatable = false
    const text = type === 'A_Const' ? (fields['sval'] as Fields | undefined)?.['sval'] : undefined
    if (text !== undefined && mayBeClock(String(text)) && !except.has(Number(fields['location'] ?? 0)))
      repeatable = false
    const names = namesOf((fields['typeName'] as Fields | undefined)?.['names'])
    const isConstant = type === 'TypeCast' && fieldsOf(fields['arg'], 'A_Const') !== undefined
    if (timeTypes.has(names.at(-1) ?? '') && !isConstant) repeatable = false
  })
  return repeatable
}
