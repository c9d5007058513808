import { styleText } from 'node:util'
import type { CheckResult, Verdict } from '../../schemas/index.ts'

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

/** Colours for a terminal, plain text for everything else. `NO_COLOR` is respected. */
export const painter = (stream: { isTTY?: boolean }): Paint =>
  stream.isTTY && !process.env['NO_COLOR'] ? (style, text) => styleText(style, text) : (_, text) => text

export const SYMBOLS: Record<CheckResult['outcome'], { mark: string; style: Parameters<Paint>[0] }> = {
  pass: { mark: '✓', style: 'green' },
  fail: { mark: '✗', style: 'red' },
  warn: { mark: '!', style: 'yellow' },
  observed: { mark: 'i', style: 'cyan' },
  'not-exercised': { mark: '–', style: 'gray' },
  inconclusive: { mark: '?', style: 'yellow' },
  waived: { mark: 'w', style: 'yellow' },
  error: { mark: '‼', style: 'magenta' },
}

export const VERDICT_STYLE: Record<Verdict, Parameters<Paint>[0]> = {
  conformant: 'green',
  'conformant-with-waivers': 'green',
  incomplete: 'yellow',
  'non-conformant': 'red',
  unreachable: 'red',
  'suite-error': 'magenta',
}
