import type { Dataset, Part } from '../../../fixtures/dataset.ts'
import { createDataset } from '../../../fixtures/index.ts'
import type { ProcessName } from '../../../fixtures/processes/index.ts'
import { last } from './figures.ts'
import { soundRuns, type SoundRun } from './sound-runs.ts'

/** Sound runs of seed 1: of each process, of its loops with every reading, and of the studies. */
export type Populations = ReturnType<typeof populations>
export type Population = keyof Populations

/** Sound runs of each process, and with every reading. Plants have more: failed runs, seed cultures, runs in progress. */
const [count, loopCount] = [300, 12]

export function populations() {
  const ofStudies = read({ runs: 0, studies: 12 })
  const bled = last('Bleed volume')
  const of = (process: ProcessName) => read({ process, runs: 1.6 * count }).slice(0, count)
  const loopsOf = (process: ProcessName) =>
    read({ process, runs: 4 * loopCount, pointInterval: 1 }).slice(0, loopCount)
  return {
    'E. coli': of('ecoli'),
    Pichia: of('pichia'),
    CHO: of('cho'),
    'E. coli loops': loopsOf('ecoli'),
    'Pichia loops': loopsOf('pichia'),
    'CHO loops': loopsOf('cho'),
    Perfusion: ofStudies.filter((run) => bled(run) > 0),
    Transfer: ofStudies.filter((run) => Number.isNaN(bled(run))),
  }
}

function read(options: Parameters<typeof createDataset>[0]): SoundRun[] {
  return soundRuns(partsOf(createDataset({ seed: 1, scale: 0.01, ...options })))
}

/** Each run is simulated once for all views. */
function* partsOf({ parts, part }: Dataset): Generator<Part> {
  for (let index = 0; index < parts; index++) yield part(index)
}
