import type { ProcessName } from '../../fixtures/index.ts'

/** What generated rows follow from: the options of createDataset, with none left to a default. */
export interface GeneratorOptions {
  readonly seed: number
  readonly scale: number
  readonly asOf: string
  readonly runs?: number
  readonly process?: ProcessName
}
