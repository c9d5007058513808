import { contract } from '../../schemas/index.ts'
import { readRelationMessage } from '../comparisons/relation-message.ts'
import { probe, type Probe, type Seen } from '../open-points/probe.ts'
import { show } from '../connection/json.ts'
import {
  invalidJson,
  longUnknownView,
  syntaxError,
  unknownColumn,
  unknownView,
} from '../connection/samples/outcomes.ts'
import { severalStatements } from '../connection/samples/several-statements.ts'
import type { Reply } from '../connection/reply.ts'
import type { Target } from '../connection/target.ts'
import { theOne } from './reading.ts'
import { divisionByZero } from './statuses.ts'

/** The first of some wordings that fits, in their order. */
const worded = (message: string, wordings: Readonly<Record<string, RegExp>>): Seen => ({
  variant: Object.entries(wordings).find(([, wording]) => wording.test(message))?.[0],
  seen: show(message),
})

/** The wording of a failure that came in an envelope. */
const failing = (reply: Reply, wordings: Readonly<Record<string, RegExp>>): Seen | undefined =>
  reply.ok || reply.message === '' ? undefined : worded(reply.message, wordings)

const JSON_ERROR = {
  'decode-error': /^JSON decode error\.?$/i,
  'decode-error-parser-text': /^JSON decode error\b/i,
  'parse-error': /^JSON parse error\b/i,
  'invalid-json': /^invalid JSON\.?$/i,
  'unexpected-token': /^Unexpected token\b/i,
  'parser-text': /^Expect(ing|ed)\b|\bline \d+ column \d+/i,
}

const SYNTAX_ERROR = {
  'decode-error': /^JSON decode error\.?$/i,
  'decode-error-database-text': /^JSON decode error\b/i,
  generic: new RegExp(`^${contract.messages.exception}\\.?$`, 'i'),
  'database-text-line': /\bLINE \d+:/,
  'database-text': /\bsyntax\b/i,
}

const SUCCESS = {
  empty: /^\s*$/,
  success: /^success\.?$/i,
  executed: /^statement executed successfully\.?$/i,
  'row-count': /^\D*\d+ (row|record|result)s?\b|^\d+$/i,
}

const EMPTY = {
  'ran-no-results': /\bran successfully but returned no results\b/i,
  'no-results': /^no results\.?$/i,
}

/** What a database driver puts around the documented sentence. */
async function relationText(t: Target): Promise<Seen | undefined> {
  const view = t.unknownView
  const { message, ok } = await unknownView(t)
  if (ok || message === '') return undefined
  const seen = show(message.replaceAll(view, '<view_name>'))
  if (readRelationMessage(message, view).as === 'wrong') return { seen }
  const variant = theOne({
    exact: message === `relation "${view}" does not exist`,
    'error-prefix': message.startsWith('ERROR:'),
    'driver-prefix': message.startsWith('('),
    'line-suffix': /\bLINE \d+:/.test(message),
    'background-suffix': /\(Background/.test(message),
    backslashes: message.includes('\\"'),
    'schema-qualified': /relation \\?"\w+\\?("\.\\?"|\.)/.test(message),
  })
  if (variant === 'exact' && (await cutsNames(t)))
    return { variant: '63-bytes', seen: 'a name of 70 bytes was cut to 63' }
  return { variant, seen }
}

async function cutsNames(t: Target): Promise<boolean> {
  const view = longUnknownView(t)
  const { ok, message } = await t.shared(`SELECT id FROM ${view} LIMIT 1`)
  return !ok && readRelationMessage(message, view.slice(0, 63)).as !== 'wrong'
}

/** The message of a failure, where it has one. */
const told = (reply: Reply): string | undefined =>
  reply.ok || reply.message === '' ? undefined : reply.message

/**
 * Which failures keep a text of their own. Several statements in one body are what services refuse before the
 * database sees them; where that has the documented message and the failures of the database have not, those
 * outside of the database are the ones that are told by it.
 */
async function genericMessage(t: Target): Promise<Seen | undefined> {
  const replies: [string, Reply][] = [
    ['an unknown column', await unknownColumn(t)],
    ['1/0', await divisionByZero(t)],
  ]
  const failed = replies.filter(([, reply]) => told(reply) !== undefined)
  const own = failed.filter(([, reply]) => told(reply) !== contract.messages.exception)
  if (failed.length === 0) return undefined
  if (own.length === 0)
    return {
      variant: 'all-other',
      seen: `the documented message for ${failed.map(([to]) => to).join(' and ')}`,
    }
  const seen = `a text of its own for ${own.map(([to]) => to).join(' and ')}`
  const outside = told(await severalStatements(t))
  if (own.length < failed.length || outside === undefined) return { seen }
  return outside === contract.messages.exception
    ? { variant: 'non-sql-only', seen: `${seen}, the documented message for several statements` }
    : { variant: 'never', seen: `${seen} and several statements` }
}

export const messageProbes: Probe[] = [
  probe({
    silence: 'NS-27',
    observe: async (t) => failing(await invalidJson(t, 'single-quotes'), JSON_ERROR),
  }),
  probe({ silence: 'NS-28', observe: async (t) => failing(await syntaxError(t), SYNTAX_ERROR) }),
  probe({ silence: 'NS-29', observe: relationText }),
  probe({ silence: 'NS-30', observe: genericMessage }),
  probe({
    silence: 'NS-50',
    observe: async (t) => {
      const { ok, data, message } = await t.baseline()
      return ok && data.length > 0 ? worded(message, SUCCESS) : undefined
    },
  }),
  probe({
    silence: 'NS-51',
    observe: async (t) => {
      const { ok, data, message } = await t.emptyDelta()
      return ok && data.length === 0 ? worded(message, EMPTY) : undefined
    },
  }),
]
