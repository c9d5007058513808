import { counted } from '../../../base/text/counted.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { textsIn, unlessEmpty, valuesOf } from '../reading.ts'

const STATES = ['ready', 'draft', 'error', 'computing', 'calculating', 'archived']

const beyondReady = (words: readonly string[]) => words.filter((word) => word !== 'ready')

const only = (state: string) => (words: readonly string[]) => beyondReady(words).join() === state

export const probe = defineProbe('formulas.states', {
  read: async (t: Target) => unlessEmpty([...new Set(textsIn(await valuesOf(t, 'v_formulas', 'state')))]),
  seen: (words) => {
    const known = STATES.filter((state) => words.includes(state))
    const others = words.length - known.length
    return [...known, ...(others > 0 ? [counted(others, 'further word')] : [])].join(', ')
  },
  variants: {
    draft: only('draft'),
    error: only('error'),
    calculating: only('calculating'),
    archived: only('archived'),
    'ready-draft-error-computing': (words) => {
      const others = beyondReady(words)
      return (
        only('computing')(words) ||
        (others.length > 1 && others.every((word) => ['draft', 'error', 'computing'].includes(word)))
      )
    },
  },
})
