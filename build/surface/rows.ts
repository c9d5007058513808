import { createHash } from 'node:crypto'
import { defaultPlant } from '../../fixtures/default-plant.ts'
import { createDataset } from '../../fixtures/index.ts'
import { views } from '../../schemas/views.ts'
import { line } from './line.ts'

/** Digests of the rows of the smallest plant, which tests of users hold. They change with a major version only. */
export function rowLines(): string[] {
  const dataset = createDataset({ ...defaultPlant, scale: 0.01 })
  return views.map(({ name }) => {
    const hash = createHash('sha256')
    for (const row of dataset.rows(name)) hash.update(JSON.stringify(row))
    return line(['rows', 'scale 0.01', name], hash.digest('hex').slice(0, 16))
  })
}
