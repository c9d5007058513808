import { joinOfAll } from '../../samples/join.ts'
import { duplicateNames } from '../../comparisons/duplicate-names.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'

const is = (name: string) => (becomes: string) => becomes === name

export const probe = defineProbe('rows.duplicates', {
  read: async (t: Target) => {
    const { reply } = await joinOfAll(t)
    return reply.ok ? duplicateNames(reply) : 'error'
  },
  seen: (becomes) =>
    becomes === 'error' ? 'the documented join is refused' : `in the documented join: ${becomes}`,
  variants: {
    last: is('last'),
    first: is('first'),
    suffix: is('suffix'),
    'alias-prefix': is('alias-prefix'),
    array: is('array'),
    'repeated-keys': is('repeated-keys'),
    error: is('error'),
  },
})
