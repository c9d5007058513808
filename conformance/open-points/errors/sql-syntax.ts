import { contract } from '../../../schemas/index.ts'
import { syntaxError } from '../../samples/outcomes.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { byWording, failureMessage, quoted } from '../replies.ts'

export const probe = defineProbe('errors.sql-syntax', {
  read: async (t: Target) => failureMessage(await syntaxError(t)),
  seen: quoted,
  variants: byWording({
    'decode-error': /^JSON decode error\.?$/i,
    'decode-error-database-text': /^JSON decode error\b/i,
    generic: new RegExp(`^${contract.messages.exception}\\.?$`, 'i'),
    'database-text-line': /\bLINE \d+:/,
    'database-text': /\bsyntax\b/i,
  }),
})
