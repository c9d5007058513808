import { dateSpellings } from '../../connection/date-literal.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { only, unlessEmpty } from '../reading.ts'

export const probe = defineProbe('delta.literal', {
  read: async (t: Target) => {
    const accepted: string[] = []
    for (const spelling of dateSpellings)
      if ((await t.everythingSince('v_bioprocesses', spelling)).ok) accepted.push(spelling.variant)
    return unlessEmpty(accepted)
  },
  seen: (accepted) => accepted.join(', '),
  variants: {
    all: (accepted) => accepted.length === dateSpellings.length,
    'quoted-date': only('quoted-date'),
    'iso-date-time': only('iso-date-time'),
    'space-date-time': only('space-date-time'),
    'date-keyword': only('date-keyword'),
    'timestamp-keyword': only('timestamp-keyword'),
  },
})
