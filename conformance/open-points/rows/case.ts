import { withoutAlias } from '../../../schemas/reading/column-names.ts'
import { isObject } from '../../connection/values/json.ts'
import type { Reply } from '../../connection/http/reply.ts'
import type { Target } from '../../connection/target.ts'
import { replyUsing } from '../optional-features.ts'
import { defineProbe } from '../probe.ts'

/** The keys of the first row as they came, without the view in front of a dot. */
function keysOfFirst({ data: [first] }: Reply): string[] {
  const row = isObject(first) && isObject(first['row']) ? first['row'] : first
  return isObject(row) ? Object.keys(row).map(withoutAlias) : []
}

const isUpper = (key: string) => key === key.toUpperCase()
const isLower = (key: string) => key === key.toLowerCase()

interface Keys {
  keys: readonly string[]
  /** The key of a column that the statement names in capitals, where the other keys are in lower case. */
  named?: string | undefined
}

export const probe = defineProbe('rows.case', {
  read: async (t: Target): Promise<Keys | undefined> => {
    const keys = keysOfFirst((await t.sample('v_bioprocesses')).reply)
    if (keys.length === 0) return undefined
    if (!keys.every(isLower)) return { keys }
    const [named] = keysOfFirst(await replyUsing(t, 'capitals'))
    return { keys, named }
  },
  seen: ({ keys, named }) => {
    if (!keys.every(isLower)) return keys.every(isUpper) ? 'upper case' : 'mixed case'
    if (named === undefined) return 'lower case, as the statement spells the names'
    return isUpper(named) ? 'as the statement spells the names' : 'lower case, also of names in capitals'
  },
  variants: {
    'as-stored': ({ named }) => named !== undefined && isUpper(named),
    lower: ({ named }) => named !== undefined && isLower(named),
    upper: ({ keys }) => keys.every(isUpper),
    camel: ({ keys }) =>
      !keys.every(isUpper) && !keys.every(isLower) && !keys.some((key) => key.includes('_')),
  },
})
