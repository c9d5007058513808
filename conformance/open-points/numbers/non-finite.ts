import { counted } from '../../../base/text/counted.ts'
import { views } from '../../../schemas/index.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe, undetectable } from '../probe.ts'
import { holdsOnly, textsIn, valuesOfColumns } from '../reading.ts'

export const probe = defineProbe('numbers.non-finite', {
  read: async (t: Target) => {
    for (const { name } of views) {
      const { json, exchange } = await t.shared(`SELECT * FROM ${name} LIMIT ${t.rows(200)}`)
      if (json === undefined && /[[:,]\s*(NaN|-?Infinity)\b/.test(exchange.response!.text))
        return { bareIn: name, quoted: 0 }
    }
    const texts = textsIn(await valuesOfColumns(t, holdsOnly('number')))
    const quoted = texts.filter((text) => /^(NaN|[+-]?Infinity)$/i.test(text)).length
    return quoted > 0 ? { bareIn: undefined, quoted } : undefined
  },
  seen: ({ bareIn, quoted }) =>
    bareIn === undefined
      ? `${counted(quoted, 'string')} in columns of numbers`
      : `without quotes, in ${bareIn}`,
  variants: {
    null: undetectable('looks like any other null'),
    'quoted-nan': ({ quoted }) => quoted > 0,
    'bare-nan': ({ bareIn }) => bareIn !== undefined,
    error: undetectable('looks like any other failure'),
  },
})
