import { PLAIN_STATEMENT } from '../http/client.ts'

const PLAIN = `"${PLAIN_STATEMENT}"`

/**
 * Bodies that RFC 8259 forbids and that Python's json, JSON.parse, encoding/json, Jackson, System.Text.Json and serde
 * refuse as delivered. A lenient decoder reads a valid statement in all of them but the empty one.
 */
export const invalidBodies = {
  'single-quotes': `{'statement': '${PLAIN_STATEMENT}'}`,
  'mixed-quotes': `{"statement": "SELECT "id" FROM v_bioprocesses LIMIT 1"}`,
  truncated: `{"statement": ${PLAIN}`,
  'trailing-comma': `{"statement": ${PLAIN},}`,
  comment: `{"statement": ${PLAIN} /* all of it */}`,
  'bare-key': `{statement: ${PLAIN}}`,
  'escaped-single-quote': `{"statement": "SELECT id FROM v_bioprocesses WHERE last_updated_at > \\'1970-01-01\\' LIMIT 1"}`,
  'plain-sql': PLAIN_STATEMENT,
  empty: '',
} as const

export type InvalidBody = keyof typeof invalidBodies

/** A body with another member, whose value is written in some way. */
const beside = (value: string): string => `{"limit": ${value}, "statement": ${PLAIN}}`

/** Bodies of the same standing as {@link invalidBodies}, by the rule that breaks a valid one. */
const byRule = {
  number: ['01', '+1', '.5', '1.', '0x1'].map(beside),
  word: ['undefined', 'True', 'None', 'nul'].map(beside),
  escape: [PLAIN.replace(' FROM', '\\x20FROM'), PLAIN.replace(' FROM', '\\u20 FROM')].map(
    (text) => `{"statement": ${text}}`,
  ),
  control: ['\n', '\t', '\0', '\u001f'].map((c) => `{"statement": ${PLAIN.replace(' FROM', `${c}FROM`)}}`),
  space: [' \n', `{\f"statement": ${PLAIN}}`, `{\u00a0"statement": ${PLAIN}}`],
  format: [
    `statement: ${PLAIN_STATEMENT}`,
    `statement=${PLAIN_STATEMENT.replaceAll(' ', '+')}`,
    `callback({"statement": ${PLAIN}})`,
    encodeURIComponent(`{"statement": ${PLAIN}}`),
    btoa(`{"statement": ${PLAIN}}`),
    `x = {"statement": ${PLAIN}}`,
  ],
  token: mutated(),
}

export type BrokenBodyRule = keyof typeof byRule
export const brokenBodyRules = Object.keys(byRule) as BrokenBodyRule[]

/** Bodies of a rule in every run. */
const BODIES = 6

/** The first bodies of a rule. @param more how many beyond those of every run */
export const brokenBodies = (rule: BrokenBodyRule, more = 0): readonly string[] =>
  byRule[rule].slice(0, BODIES + more)

/**
 * A good body with one token deleted, doubled, or replaced by another one. Without those that begin with a complete value:
 * some decoders stop at its end.
 */
function mutated(): string[] {
  const tokens = ['{', '"statement"', ':', PLAIN, '}']
  const at = (index: number, ...text: string[]) => tokens.toSpliced(index, 1, ...text).join(' ')
  const changed = [
    beside('1').replace(',', ''),
    at(2, '='),
    at(4, ']'),
    at(0, '{', '{'),
    ...tokens.flatMap((token, index) => [at(index), at(index, token, token)]),
    ...[0, 2, 4].flatMap((index) => [...'{}[],:;'].map((other) => at(index, other))),
  ]
  return [...new Set(changed)].filter((body) => !beginsWithJson(body))
}

function beginsWithJson(body: string): boolean {
  return Array.from(body, (_, at) => body.slice(0, at + 1)).some((start) => {
    try {
      return JSON.parse(start) !== undefined
    } catch {
      return false
    }
  })
}
