import { expect, test } from 'vitest'
import { formats, timestampPatterns } from './formats.ts'
import { validators } from './generated/validators.ts'

const dates =
  '2025-03-01 20250301 2024-02-29 2025-02-29 2026-02-30 2025-04-31 2025-060 2025060 2024-366 2025-366 2025-000 2025-W09-6 2025W096 2025-W53-1 2026-W53-1 +002025-03-01 -000001-01-01 -000000-01-01 0000-01-01 2025-13-01 2025-00-10 2025-03-32 2025-03-00 2025-0301 2025-3-1 2025-03 2025 25-03-01 infinity'
const times =
  'T08:12:00 T08 T0812 T08:12 T081200 T24:00 T24:00:00 T24:01 T25 T08:60 T08:12:60 T08:12:61 T08:12:00.123456 T08:12:00,5 T08:12.5 T08.25 T08:12:00. T08:1 T t08:12:00'
const zones = 'Z z +00:00 +0000 +00 -23:59 +24:00 +1 +05:60 [Europe/Zurich] UTC'
const words = (text: string) => text.split(' ')

/** Each date with each time, each time with each zone, and some other texts. */
const texts = words(dates)
  .flatMap((date) =>
    ['', ...words(times)].flatMap((time) => ['', ...words(zones)].map((zone) => date + time + zone)),
  )
  .concat('2025-03-01 08:12:00+00', '2025-03-01T08:12:00 Z', ' 2025-03-01', '2025-03-01\n', '1740816000', '')

test.each(['iso8601', 'iso8601-zoned'] as const)(
  'the pattern of %s refuses no text that our validator accepts',
  (name) => {
    const accepted = texts.filter(formats[name])
    expect(accepted.length).toBeGreaterThan(500)
    const pattern = new RegExp(timestampPatterns[name], 'u')
    expect(accepted.filter((text) => !pattern.test(text))).toEqual([])
  },
)

test.each([
  '2025-03-01 08:12:00',
  '1740816000',
  '2025-13-01',
  '2025-03-01T25',
  '2025-03-01T08:12z',
  'infinity',
  '',
])('both patterns refuse %j', (text) => {
  for (const pattern of Object.values(timestampPatterns)) expect(text).not.toMatch(new RegExp(pattern, 'u'))
})

test.each(['2026-02-30T08:12Z', '2025-366T08Z', '2025-0301T08:12Z', '2025-03-01T24:01Z'])(
  'a pattern does not know that %s does not exist, but our validator does',
  (text) => {
    for (const name of ['iso8601', 'iso8601-zoned'] as const) {
      expect(text).toMatch(new RegExp(timestampPatterns[name], 'u'))
      expect(formats[name](text)).toBe(false)
    }
  },
)

const verdicts = (accepts: (text: string) => boolean) => texts.map((text) => [text, accepts(text)])

test.each([
  [
    'iso8601',
    'views/v_archived_records',
    (archived_at: string) => ({ record_id: 'a', table_name: 'b', archived_at }),
  ],
  ['iso8601-zoned', 'fault', (at: string) => ({ type: 'expire', at })],
] as const)(
  'where a schema has the pattern of %s, the validator of %s checks the format',
  (format, name, of) => {
    expect(verdicts((text) => validators[name](of(text)))).toEqual(verdicts(formats[format]))
  },
)
