import { invalidJson } from '../../samples/outcomes.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { byWording, failureMessage, quoted } from '../replies.ts'

export const probe = defineProbe('errors.json-text', {
  read: async (t: Target) => failureMessage(await invalidJson(t, 'single-quotes')),
  seen: quoted,
  variants: byWording({
    'decode-error': /^JSON decode error\.?$/i,
    'decode-error-parser-text': /^JSON decode error\b/i,
    'parse-error': /^JSON parse error\b/i,
    'invalid-json': /^invalid JSON\.?$/i,
    'unexpected-token': /^Unexpected token\b/i,
    'parser-text': /^Expect(ing|ed)\b|\bline \d+ column \d+/i,
  }),
})
