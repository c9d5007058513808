import { typeOf, type Json } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { only, tally, textsIn, unlessEmpty, valuesOfColumns } from '../reading.ts'

/** The forms of a timestamp by what follows its seconds. */
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

const inForm = (form: string) => (values: readonly Json[]) => only(form)(values.map(formOf))

/** Some values in one form and none in any but that and the form of UTC in microseconds. */
const mixed = (form: string) => (values: readonly Json[]) => {
  const forms = new Set(values.map(formOf))
  return forms.delete(form) && [...forms].every((other) => other === 'six digits and +00:00')
}

const withTrailingZero = (values: readonly Json[]): boolean =>
  textsIn(values).some((text) => /\.\d*0\+/.test(text))

export const probe = defineProbe('timestamps.format', {
  read: async (t: Target) => unlessEmpty(await valuesOfColumns(t, ({ format }) => format !== undefined)),
  seen: (values) => tally(values.map(formOf)),
  variants: {
    'micros-offset': inForm('six digits and +00:00'),
    'micros-z': inForm('six digits and Z'),
    'millis-z': inForm('three digits and Z'),
    'seconds-z': inForm('no digits and Z'),
    'nanos-z': inForm('nine digits and Z'),
    trimmed: (values) => mixed('no trailing zeros and +00:00')(values) && !withTrailingZero(values),
    'hour-offset': inForm('six digits and +00'),
    'local-offset': mixed('six digits and another offset'),
    'no-zone': inForm('six digits and no zone'),
    'space-separator': inForm('a space in it'),
    'epoch-millis': inForm('number'),
  },
})
