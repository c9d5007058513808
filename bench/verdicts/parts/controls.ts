import { controls as all } from '../../../proof/controls/index.ts'
import { PLANT_TOKEN, plantVendors } from '../../../e2e/support/plant-vendors.ts'
import { remembering } from '../../../proof/support/remembering.ts'
import { judge, startReference } from '../../../proof/support/self-proof.ts'
import type { Part } from './part.ts'

const changing = new Set(all.filter(({ changes }) => changes).map(({ id }) => id))

/** Every control over the reference, and those that do not write over two servers that share no code with it. */
export const controls: Part = {
  name: 'controls',
  seconds: 3,
  ids: all.flatMap(({ id }) =>
    (changing.has(id) ? ['reference'] : ['reference', 'arrays', 'sqlite']).map((server) => `${id} ${server}`),
  ),
  varies: (id) => changing.has(id.split(' ')[0]!),
  start: async () => {
    const reference = await startReference({ scale: 0.01 })
    const vendors = plantVendors()
    const vendor = { ...reference, baseUrl: 'http://vendor.example', token: PLANT_TOKEN }
    const targets = {
      reference: { ...reference, fetch: remembering(reference.fetch) },
      arrays: { ...vendor, fetch: vendors.arrays() },
      sqlite: { ...vendor, fetch: remembering(await vendors.sqlite()) },
    }
    return {
      judge: (subject) => {
        const [id, server] = subject.split(' ') as [string, keyof typeof targets]
        const { wrap } = all.find((control) => control.id === id)!
        const target = changing.has(id) ? reference : targets[server]
        return judge(target, [], wrap, { skip: ['time.*'] })
      },
      close: () => reference.close(),
    }
  },
}
