import { views, type ColumnDefinition } from '../../schemas/index.ts'
import { probe, type Probe, type Seen } from '../open-points/probe.ts'
import { typeOf, type Json } from '../connection/json.ts'
import { isLosslessNumber } from 'lossless-json'
import { unlessRefused } from '../connection/not-exercised.ts'
import type { Target } from '../connection/target.ts'
import { counted, rowsOf, tally, textsIn, theOne } from './reading.ts'

/** The values of all columns of one kind in the samples of all views, nulls left out. */
async function valuesOfColumns(t: Target, of: (column: ColumnDefinition) => boolean): Promise<Json[]> {
  const values: Json[] = []
  for (const { name, columns } of views) {
    const rows = (await unlessRefused(rowsOf(t, name))) ?? []
    const wanted = columns.filter(of).map((column) => column.name)
    for (const row of rows)
      for (const column of wanted) if ((row[column] ?? null) !== null) values.push(row[column]!)
  }
  return values
}

const isOnly = (type: string) => (column: ColumnDefinition) => column.types.join() === type

/** The forms of a timestamp by what stands behind its seconds. */
const FORMS: Record<string, RegExp> = {
  'six digits and +00:00': /\.\d{6}\+00:00$/,
  'six digits and Z': /\.\d{6}Z$/,
  'three digits and Z': /\.\d{3}Z$/,
  'no digits and Z': /:\d\dZ$/,
  'nine digits and Z': /\.\d{9}Z$/,
  'six digits and +00': /\.\d{6}\+00$/,
  'six digits and another offset': /\.\d{6}[+-]\d\d:\d\d$/,
  'six digits and no zone': /\.\d{6}$/,
  'no trailing zeros and +00:00': /(:\d\d|\.\d*[1-9])\+00:00$/,
}

const formOf = (value: Json): string => {
  if (typeof value !== 'string') return typeOf(value)
  if (/^\S{10} /.test(value)) return 'a space in it'
  return Object.entries(FORMS).find(([, form]) => form.test(value))?.[0] ?? 'another form'
}

function timestampForm(values: readonly Json[]): Seen | undefined {
  if (values.length === 0) return undefined
  const forms = new Set(values.map(formOf))
  const only = (...allowed: string[]) => [...forms].every((form) => allowed.includes(form))
  const texts = textsIn(values)
  const variant = theOne({
    'micros-offset': only('six digits and +00:00'),
    'micros-z': only('six digits and Z'),
    'millis-z': only('three digits and Z'),
    'seconds-z': only('no digits and Z'),
    'nanos-z': only('nine digits and Z'),
    trimmed:
      forms.has('no trailing zeros and +00:00') &&
      only('no trailing zeros and +00:00', 'six digits and +00:00') &&
      !texts.some((text) => /\.\d*0\+/.test(text)),
    'hour-offset': only('six digits and +00'),
    'local-offset':
      forms.has('six digits and another offset') &&
      only('six digits and another offset', 'six digits and +00:00'),
    'no-zone': only('six digits and no zone'),
    'space-separator': only('a space in it'),
    'epoch-millis': only('number'),
  })
  return { variant, seen: tally(values.map(formOf)) }
}

const isWhole = (text: string): boolean => Number.isInteger(Number(text))

function numberForm(values: readonly Json[]): Seen | undefined {
  if (values.length === 0) return undefined
  const numbers = values.flatMap((value) => (isLosslessNumber(value) ? [value.value] : []))
  const strings = textsIn(values).length
  const exponents = numbers.filter((text) => /e/i.test(text)).length
  const whole = numbers.filter((text) => isWhole(text) && !/e/i.test(text))
  const fractions = whole.filter((text) => text.includes('.')).length
  const big = whole.filter((text) => !Number.isSafeInteger(Number(text))).length
  const all = strings === 0 && numbers.length > 0
  const variant = theOne({
    string: strings > 0,
    exponent: all && exponents === numbers.length,
    'decimal-point': all && fractions > 0 && fractions === whole.length,
    'big-integer': all && fractions === 0 && big > 0,
    number: all && exponents < numbers.length && fractions === 0 && big === 0,
  })
  const kinds = `${strings} as strings, ${exponents} with an exponent, ${fractions} whole ones with a fraction, ${big} beyond 2^53`
  return { variant, seen: `${counted(values.length, 'number')}: ${kinds}` }
}

/** NaN where it shows; that it is written as null looks like any other null. */
async function nonFinite(t: Target): Promise<Seen | undefined> {
  for (const { name } of views) {
    const { json, exchange } = await t.shared(`SELECT * FROM ${name} LIMIT ${t.rows(200)}`)
    if (json === undefined && /[[:,]\s*(NaN|-?Infinity)\b/.test(exchange.response!.text))
      return { variant: 'bare-nan', seen: `without quotes, in ${name}` }
  }
  const texts = textsIn(await valuesOfColumns(t, isOnly('number')))
  const quoted = texts.filter((text) => /^(NaN|[+-]?Infinity)$/i.test(text))
  if (quoted.length === 0) return undefined
  return { variant: 'quoted-nan', seen: `${counted(quoted.length, 'string')} in columns of numbers` }
}

function objectForm(values: readonly Json[]): Seen | undefined {
  if (values.length === 0) return undefined
  const texts = textsIn(values).length
  const variant = theOne({ native: texts === 0, text: texts === values.length })
  return { variant, seen: tally(values.map(typeOf)) }
}

export const valueProbes: Probe[] = [
  probe({
    silence: 'NS-41',
    observe: async (t) => timestampForm(await valuesOfColumns(t, ({ format }) => format !== undefined)),
  }),
  probe({ silence: 'NS-42', observe: async (t) => numberForm(await valuesOfColumns(t, isOnly('number'))) }),
  probe({ silence: 'NS-43', observe: nonFinite }),
  probe({
    silence: 'NS-45',
    observe: async (t) =>
      objectForm(await valuesOfColumns(t, (column) => isOnly('object')(column) || isOnly('array')(column))),
  }),
]
