import { refuse, rowsReply, type Handmade } from '../handmade.test-helper.ts'
import { HOUR, stamped, type Examples } from './services.test-helper.ts'

/** Quantities an hour apart, and which of them a service counts as newer than a date. */
export const zoned = (isNewer: (text: string, date: string) => boolean, print = utc): Handmade => {
  const rows = Array.from({ length: 41 }, (_, hour) => ({ id: `q${hour}`, last_updated_at: print(hour) }))
  return {
    rows: { v_quantities: rows },
    answer: ({ sql }) => {
      const [, date] = /FROM v_quantities WHERE last_updated_at > '([\dT: -]+)' LIMIT 900/.exec(sql) ?? []
      return date && rowsReply(rows.filter(({ last_updated_at: text }) => isNewer(text, date)))
    },
  }
}

export const utc = (hour: number): string =>
  new Date(Date.parse('2025-02-28T06:30:00Z') + hour * HOUR).toISOString()

const inIndia = (hour: number): string => `${utc(hour + 5.5).slice(0, 23)}+05:30`

export const laterThan = (offset: string) => (text: string, date: string) =>
  Date.parse(text) > Date.parse(`${`${date.replace(' ', 'T')}T00:00:00`.slice(0, 19)}${offset}`)

const precise = (back: boolean): Handmade => ({
  ...stamped('2025-03-01T08:12:00.123Z'),
  answer: ({ sql }) => {
    if (!/> '2025-03-01T08:12:00.123Z'/.test(sql)) return undefined
    return rowsReply(back ? [{ id: 'q1', last_updated_at: '2025-03-01T08:12:00.123Z' }] : [])
  },
})

const spelled = (pattern: RegExp): Handmade => ({
  answer: ({ sql }) => (sql.includes('1970') && !pattern.test(sql) ? refuse(200) : undefined),
})

/** How changes are asked for. */
export const deltas: Examples = {
  'NS-52': {
    utc: zoned(laterThan('Z')),
    'session-zone': zoned(laterThan('+02:00')),
    // Two offsets in one column: no zone gives the same rows as a comparison of texts.
    'text-comparison': zoned(
      (text, date) => text > date,
      (hour) => (hour % 2 === 0 ? utc(hour) : inIndia(hour)),
    ),
  },
  'NS-53': { full: precise(false), 'printed-millis': precise(true) },
  'NS-56': {
    all: {},
    'quoted-date': spelled(/> '1970-01-02' /),
    'iso-date-time': spelled(/T00:00:00Z/),
    'space-date-time': spelled(/> '1970-01-02 00:00:00'/),
    'date-keyword': spelled(/> DATE '/),
    'timestamp-keyword': spelled(/> TIMESTAMP '/),
  },
}
