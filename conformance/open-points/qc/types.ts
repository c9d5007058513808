import { typeOf, type Json } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { objectsIn, textsIn, typesOf, valuesOf } from '../reading.ts'

interface Qc {
  statuses: readonly Json[]
  failureModes: readonly Json[]
}

const all = ({ statuses, failureModes }: Qc): Json[] => [...statuses, ...failureModes]

const typesIn = (qc: Qc): string => [...new Set(all(qc).map(typeOf))].toSorted().join()

/** This many texts with this few different ones look like a fixed list of words. */
const FIXED = { texts: 20, words: 6 }

function isFixed(qc: Qc): boolean {
  const texts = textsIn(all(qc))
  return texts.length >= FIXED.texts && new Set(texts).size <= FIXED.words
}

export const probe = defineProbe('qc.types', {
  read: async (t: Target): Promise<Qc | undefined> => {
    const qc = objectsIn(await valuesOf(t, 'v_bioprocesses', 'qc'))
    if (qc.length === 0) return undefined
    return {
      statuses: qc.map(({ status = null }) => status),
      failureModes: qc.map(({ failure_mode: mode = null }) => mode),
    }
  },
  seen: ({ statuses, failureModes }) =>
    `status: ${typesOf(statuses)}; failure_mode: ${typesOf(failureModes)}`,
  variants: {
    string: (qc) => typesIn(qc) === 'string' && !isFixed(qc),
    'string-or-null': (qc) => typesIn(qc) === 'null,string',
    enum: (qc) => typesIn(qc) === 'string' && isFixed(qc),
    boolean: ({ statuses }) => statuses.every((value) => typeOf(value) === 'boolean'),
    object: (qc) => typesIn(qc) === 'object',
  },
})
