import { type Hostile, outcome, statements } from './hostile.ts'

const { refused, syntax, unknown, answered } = outcome

/** Texts at the edges of the lexer, where a gate with a lexer of its own would read something else than PostgreSQL. */
const lexer: readonly Hostile[] = [
  ...statements('lexer', 'lexer-hides', refused, 'what looks like a comment or a text is not one', [
    'SELECT 1 /* /* nested */ ; not yet */ ; COMMIT',
    "SELECT 'a\\'; COMMIT; --'",
    "SELECT E'a\\'b'; COMMIT --'",
    'SELECT $a$ $b$ $a$; COMMIT',
    'SELECT $tag$ $$ $tag$; SET ROLE postgres; --$tag$',
    "SELECT 'a' --\n; COMMIT",
    'SELECT 1--\r\n;COMMIT',
    "SELECT set_config /* '*/ ('role', 'postgres', true) --'",
    'SELECT 1 --\u2028;\n;COMMIT',
    "SELECT X'0g'",
    ';',
    ';;;',
    '',
    '   \n\t',
    '-- nothing',
    '/* nothing */',
  ]),
  ...statements('lexer', 'lexer-broken', syntax, 'a text that does not end, or no token at all', [
    "SELECT 'abc",
    'SELECT "abc',
    'SELECT $$abc',
    'SELECT $a$abc$A$',
    'SELECT 1 /* /* */',
    "SELECT E'\\u12'",
    "SELECT E'\\uD800'",
    "SELECT E'\\U00110000'",
    "SELECT U&'\\D800'",
    'SELECT U&"\\D800"',
    "SELECT U&'!0041' UESCAPE 'a'",
    "SELECT E'\\000'",
    "SELECT E'\\xff'",
    'SELECT ""',
    'SELECT 0x',
    'SELECT 1__0',
    'SELECT 123abc',
    'SELECT 1 @#%&|`~ 2 `',
    'SELECT {fn now()}',
    'SELECT 1 \\; COMMIT',
    'SELECT `id` FROM v_quantities',
    'SELECT [id] FROM v_quantities',
    'SELECT :a',
    'SELECT ?',
    'SELECT %s',
  ]),
  ...statements('lexer', 'lexer-allows', answered, 'unusual, but one read-only SELECT', [
    "SELECT E'\\x41', U&'d\\0061ta', B'101', X'1F', $t$it's$t$ AS a",
    'SELECT 0x1F, 0b11, 1_000, .5, 5., 1e10 AS a',
    "SELECT 'a'\n'b' AS c",
    'select/**/1--',
    'SELECT 1 AS "a""b"',
    'SELECT+-+1 AS a',
    'SELECT 1 --\u2028;\nCOMMIT',
    'SELECT id FROM U&"v\\005Fquantities" LIMIT 1',
    '\uFEFF SELECT 1'.slice(1),
    ' \t\r\n\f SELECT 1 ; ',
  ]),
]

/** 63 bytes are a name for PostgreSQL, which cuts what is longer: the message names what the statement named. */
const longName = (bytes: number) => 'v'.repeat(bytes)

const unicode: readonly Hostile[] = [
  ...statements('unicode', 'unicode-unsafe', refused, 'ends early on the wire or becomes another character', [
    'SELECT \0',
    'SELECT 1 \0; COMMIT',
    "SELECT 'a\0b'",
    "SELECT '\ud800'",
    "SELECT '\udc00\ud800'",
    'SELECT 1 AS "\udfff"',
    '\0',
  ]),
  ...statements('unicode', 'unicode-escaped', refused, 'a zero that only the database would make', [
    'SELECT chr(0)',
    "SELECT unistr('\\D800')",
    "SELECT convert_from('\\xff', 'UTF8')",
    "SELECT convert_from('\\x00', 'UTF8')",
    'SELECT jsonb \'"\\u0000"\'',
    'SELECT json \'"\\ud800"\' ->> 0, jsonb \'"\\ud800"\'',
  ]),
  ...statements('unicode', 'unicode-answer', answered, 'any other character is data', [
    "SELECT '😀 𝒳 é ؏ 漢 \u202e \ufffe \uffff' AS a",
    'SELECT 1 AS "\u202eevil", 2 AS "e\u0301", 3 AS "\u00e9"',
    "SELECT length('e\u0301'), normalize('e\u0301') = '\u00e9', upper('ß'), '\u200b' AS a",
    "SELECT E'\\u0001\\u001f\\u007f\\u0085\\u2028' AS a",
    `SELECT 1 AS "${'é'.repeat(40)}"`,
  ]),
  ...(
    [
      // Cyrillic, full width, combining, zero width, right to left, Turkish
      ['v_qu\u0430ntities', 'SELECT * FROM v_qu\u0430ntities'],
      ['\uff56_quantities', 'SELECT * FROM \uff56_quantities'],
      ['v_quantitie\u0301s', 'SELECT * FROM v_quantitie\u0301s'],
      ['v_\u200bquantities', 'SELECT * FROM v_\u200bquantities'],
      ['\u202ev_quantities', 'SELECT * FROM \u202ev_quantities'],
      ['v_quant\u0131ties', 'SELECT * FROM v_quant\u0131ties'],
      ['\ufeffv_quantities', 'SELECT * FROM \ufeffv_quantities'],
      ['v_quantities\u0000'.slice(0, -1) + '\u00a0', 'SELECT * FROM v_quantities\u00a0'],
      [longName(64), `SELECT * FROM ${longName(64)}`],
      [longName(10_000), `SELECT * FROM ${longName(10_000)}`],
      [`${'v'.repeat(62)}\u00e9`, `SELECT * FROM ${'v'.repeat(62)}\u00e9`],
    ] as const
  ).flatMap(([relation, statement], index) =>
    statements('unicode', `unicode-name-${index + 1}`, unknown(relation), 'looks like a view and is none', [
      statement,
    ]),
  ),
]

export const text: readonly Hostile[] = [...lexer, ...unicode]
