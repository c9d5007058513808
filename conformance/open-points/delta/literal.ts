import type { DateNotation } from '../../../schemas/reading/date-literals.ts'
import { dateSpellings } from '../../connection/values/date-literal.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { only, unlessEmpty } from '../reading.ts'

/** Each notation is a variant of its own: the only one that the target accepts. */
const notations = Object.fromEntries(dateSpellings.map(({ variant }) => [variant, only(variant)])) as Record<
  DateNotation,
  ReturnType<typeof only>
>

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
    ...notations,
  },
})
