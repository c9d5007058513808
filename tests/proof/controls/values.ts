import type { Control } from './control.ts'
import { onEnvelope, onRows } from '../mutant.ts'

/** The value without the null members of its objects. */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]))
}

/** Rewrites the numbers with a fraction, outside of texts. */
const onFractions = (rewrite: (digits: string) => string): Control['wrap'] =>
  onEnvelope((envelope) => JSON.stringify(envelope).replace(/(?<=[:,[])-?\d+\.\d+(?=[,}\]])/g, rewrite))

/** Rewrites the timestamps in UTC. */
const onTimestamps = (rewrite: (seconds: string, fraction: string) => string): Control['wrap'] =>
  onEnvelope((envelope) =>
    JSON.stringify(envelope).replace(
      /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?\+00:00"/g,
      (_, seconds: string, fraction = '') => `"${rewrite(seconds, fraction)}"`,
    ),
  )

const dayOfYear = (text: string): string => {
  const day = (Date.parse(text.slice(0, 10)) - Date.parse(text.slice(0, 4))) / 86_400_000 + 1
  return `-${String(day).padStart(3, '0')}`
}

/** Controls with the same values in another form. */
export const values: Control[] = [
  {
    id: 'values-spelled-otherwise',
    does: 'SELECT * prints 17 digits of a number, and milliseconds of a time in place of microseconds.',
    wrap: onEnvelope((envelope, { statement = '' }) => {
      if (!/^select \* from \w+ limit/i.test(statement)) return envelope
      return JSON.stringify(envelope)
        .replace(/(?<=[:,[])-?\d+\.\d+(?=[,}\]])/g, (digits) => Number(digits).toPrecision(17))
        .replace(/(T\d\d:\d\d:\d\d\.\d{3})\d{3}\+00:00"/g, '$1Z"')
    }),
  },
  {
    id: 'rows-with-further-members',
    does: 'Every row has its place in the response and a link, which are no columns.',
    wrap: onEnvelope((envelope) => ({
      ...envelope,
      data: envelope.data.map((row, index) => ({ '@index': index, ...row, _links: { self: '/rows' } })),
    })),
  },
  {
    id: 'nested-nulls-omitted',
    does: 'Objects inside of rows leave out members that are null.',
    wrap: onRows((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, withoutNulls(value)])),
    ),
  },
  {
    id: 'event-nulls-omitted',
    does: 'Only event records leave out members that are null.',
    wrap: onRows((row) => ('events' in row ? { ...row, events: withoutNulls(row['events']) } : row)),
  },
  ...[
    'Zero rows returned.',
    'The statement ran successfully but did not return any results.',
    'The statement ran; nothing was found.',
    'Die Abfrage lieferte keine Zeilen.',
  ].map((message, index): Control => ({
    id: `empty-message-${index + 1}`,
    does: `The message of a success without rows is: ${message}`,
    wrap: onEnvelope((envelope) =>
      envelope.status.state === 'success' && envelope.data.length === 0
        ? { ...envelope, status: { ...envelope.status, message } }
        : envelope,
    ),
  })),
  {
    id: 'numbers-with-exponents',
    does: 'Numbers with a fraction have an exponent.',
    wrap: onFractions((digits) => Number(digits).toExponential()),
  },
  {
    id: 'numbers-with-17-digits',
    does: 'Numbers with a fraction have 17 digits.',
    wrap: onFractions((digits) => Number(digits).toPrecision(17)),
  },
  {
    id: 'integers-with-a-fraction',
    does: 'Integers end in .0.',
    wrap: onEnvelope((envelope) =>
      JSON.stringify(envelope).replace(/(?<=[:,[])-?\d+(?=[,}\]])/g, (digits) => `${digits}.0`),
    ),
  },
  ...[
    [
      'ordinal-dates',
      'Timestamps name the day of the year.',
      (text: string) => text.replace(/-\d\d-\d\d/, dayOfYear(text)),
    ],
    ['basic-format', 'Timestamps are in the basic format.', (text: string) => text.replaceAll(/[-:]/g, '')],
    [
      'decimal-comma',
      'Timestamps have a comma before the fraction.',
      (text: string) => text.replace('.', ','),
    ],
    ['expanded-years', 'Years have a sign and six digits.', (text: string) => `+00${text}`],
  ].map(([id, does, rewrite]): Control => ({
    id: id as string,
    does: does as string,
    wrap: onTimestamps(
      (seconds, fraction) => `${(rewrite as (text: string) => string)(seconds + fraction)}Z`,
    ),
  })),
  {
    id: 'another-zone',
    does: 'Timestamps are in the zone +05:30.',
    wrap: onTimestamps((seconds, fraction) => {
      const shifted = new Date(Date.parse(`${seconds}Z`) + 5.5 * 3_600_000).toISOString()
      return `${shifted.slice(0, 19)}${fraction}+05:30`
    }),
  },
  {
    id: 'fractions-trimmed',
    does: 'The fraction of a second has no zeros at its end.',
    wrap: onTimestamps((seconds, fraction) => `${seconds}${fraction.replace(/\.?0+$/, '')}+00:00`),
  },
  {
    id: 'nanoseconds',
    does: 'Timestamps have nine digits of a second.',
    wrap: onTimestamps((seconds, fraction) => `${seconds}${(fraction || '.').padEnd(10, '0')}Z`),
  },
]
