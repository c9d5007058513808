import { isObject } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { haveKeys, shapeOf, unlessEmpty, valuesOf } from '../reading.ts'

const ADDRESS = /^([a-z][\w+.-]*:|\/|[\w-]+\.)\S*$/i

export const probe = defineProbe('attachments.shape', {
  read: async (t: Target) => {
    const lists = await valuesOf(t, 'v_bioprocesses', 'attachments')
    return unlessEmpty(lists.flatMap((list) => (Array.isArray(list) ? list : [])))
  },
  seen: shapeOf,
  variants: {
    url: (items) => items.every((item) => typeof item === 'string' && ADDRESS.test(item)),
    'id-name-url': (items) => haveKeys(items, ['id', 'name', 'url']),
    'empty-object': (items) => items.every(isObject) && haveKeys(items, []),
    'file-metadata': (items) => haveKeys(items, ['id', 'name', 'mime_type', 'size_bytes', 'uploaded_at']),
  },
})
