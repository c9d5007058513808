import type { ProcessName } from '../../fixtures/index.ts'

/** The options of createDataset that decide the generated rows, without defaults. */
export interface GeneratorOptions {
  readonly seed: number
  readonly scale: number
  readonly asOf: string
  readonly runs?: number
  readonly process?: ProcessName
}
