/** A body for a statement, in an encoding that RFC 8259 requires every decoder to read. */
export type Encoding = readonly [name: string, body: (sql: string) => string]

/** Some characters of a text as `\uXXXX`, one for each UTF-16 unit. Not its quotes and backslashes. */
export const escaped = (text: string, characters: RegExp, isUpper = false): string =>
  JSON.stringify(text).replaceAll(characters, (character) => {
    const digits = character.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${isUpper ? digits.toUpperCase() : digits}`
  })

const inText = (name: string, characters: RegExp, isUpper?: boolean): Encoding => [
  `${name} sent as \\uXXXX`,
  (sql) => `{"statement": ${escaped(sql, characters, isUpper)}}`,
]

const key = escaped('statement', /\w/g)

/** Encodings by what they change: those of every run, and their parts, which name the cause if one of them is misread. */
export const encodings = {
  quotes: { whole: [inText('quotes', /'/g)], parts: [] },
  statement: {
    whole: [inText('all characters', /[^"\\]/g, true), inText('all characters in small letters', /[^"\\]/g)],
    parts: [
      inText('letters', /[a-z_]/gi),
      inText('digits', /\d/g),
      inText('blanks', / /g),
      inText('symbols', /[>'*=(),]/g),
    ],
  },
  body: {
    whole: [
      ['line breaks and indentation', (sql) => JSON.stringify({ statement: sql }, null, 2)],
      ['white space around the tokens', (sql) => `\r\n{\t"statement"\n  : \t${JSON.stringify(sql)}\r\n}\n`],
      ['the key "statement" sent as \\uXXXX', (sql) => `{${key}: ${JSON.stringify(sql)}}`],
    ],
    parts: [],
  },
} satisfies Record<string, Record<'whole' | 'parts', readonly Encoding[]>>

/** A statement with characters beyond ASCII, in two encodings. JSON may escape a slash too. */
export const ofNames: readonly Encoding[] = [
  ['in UTF-8', (sql) => JSON.stringify({ statement: sql })],
  ['as \\uXXXX and \\/', (sql) => `{"statement": ${escaped(sql, /[^\0-~]/g).replaceAll('/', '\\/')}}`],
]
