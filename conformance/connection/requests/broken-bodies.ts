import { brokenBodies as bodies } from '../../generated/broken-bodies.ts'
import { PLAIN_VIEW } from '../../../schemas/views.ts'
import { PLAIN_STATEMENT } from '../http/client.ts'
import { randomOf, SEED } from '../values/random.ts'

const PLAIN = `"${PLAIN_STATEMENT}"`

/**
 * Bodies that RFC 8259 forbids and that Python's json, JSON.parse, encoding/json, Jackson, System.Text.Json and serde
 * refuse as delivered. A lenient decoder reads a valid statement in all of them but the empty ones.
 */
export const invalidBodies = {
  'single-quotes': `{'statement': '${PLAIN_STATEMENT}'}`,
  'mixed-quotes': `{"statement": "SELECT "id" FROM ${PLAIN_VIEW} LIMIT 1"}`,
  truncated: `{"statement": ${PLAIN}`,
  'trailing-comma': `{"statement": ${PLAIN},}`,
  comment: `{"statement": ${PLAIN} /* all of it */}`,
  'bare-key': `{statement: ${PLAIN}}`,
  'escaped-single-quote': `{"statement": "SELECT id FROM ${PLAIN_VIEW} WHERE last_updated_at > \\'1970-01-01\\' LIMIT 1"}`,
  'plain-sql': PLAIN_STATEMENT,
  empty: '',
  space: ' \n',
} as const

export type InvalidBody = keyof typeof invalidBodies

export type BrokenBodyRule = keyof typeof bodies
export const brokenBodyRules = Object.keys(bodies) as BrokenBodyRule[]

/** Bodies of the same standing, by the rule that breaks a valid one; the same ones for the same number. @param more how many beyond those of every run */
export function brokenBodies(rule: BrokenBodyRule, more = 0): readonly string[] {
  const { whole, parts, more: further } = bodies[rule]
  const random = randomOf(SEED + brokenBodyRules.indexOf(rule))
  const each = Math.ceil(more / (parts.length + 1))
  const drawn = parts.flatMap((part) => random.spread<string>(part, 1 + each))
  return [...new Set([...whole, ...drawn, ...random.spread<string>(further, each)])]
}
