import { isLosslessNumber } from 'lossless-json'
import { counted } from '../../../base/text/counted.ts'
import type { Json } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { holdsOnly, textsIn, unlessEmpty, valuesOfColumns } from '../reading.ts'

/** How many of the numbers are written in each way. */
function waysIn(values: readonly Json[]) {
  const numbers = values.flatMap((value) => (isLosslessNumber(value) ? [value.value] : []))
  const exponents = numbers.filter((text) => /e/i.test(text)).length
  const whole = numbers.filter((text) => Number.isInteger(Number(text)) && !/e/i.test(text))
  return {
    all: values.length,
    strings: textsIn(values).length,
    numbers: numbers.length,
    exponents,
    whole: whole.length,
    fractions: whole.filter((text) => text.includes('.')).length,
    big: whole.filter((text) => !Number.isSafeInteger(Number(text))).length,
  }
}

type Ways = ReturnType<typeof waysIn>

const areNumbers = ({ strings, numbers }: Ways): boolean => strings === 0 && numbers > 0

export const probe = defineProbe('numbers.encoding', {
  read: async (t: Target) => {
    const values = unlessEmpty(await valuesOfColumns(t, holdsOnly('number')))
    return values && waysIn(values)
  },
  seen: ({ all, strings, exponents, fractions, big }) =>
    `${counted(all, 'number')}: ${strings} as strings, ${exponents} with an exponent, ` +
    `${fractions} whole ones with a fraction, ${big} beyond 2^53`,
  variants: {
    number: (ways) =>
      areNumbers(ways) && ways.exponents < ways.numbers && ways.fractions === 0 && ways.big === 0,
    string: ({ strings }) => strings > 0,
    'decimal-point': (ways) => areNumbers(ways) && ways.fractions > 0 && ways.fractions === ways.whole,
    exponent: (ways) => areNumbers(ways) && ways.exponents === ways.numbers,
    'big-integer': (ways) => areNumbers(ways) && ways.fractions === 0 && ways.big > 0,
  },
})
