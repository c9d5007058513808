import { createDataset, type DatasetOptions } from '../../../../fixtures/index.ts'
import { views } from '../../../../schemas/views.ts'
import { DatabaseError } from '../database-error.ts'
import { layoutOf } from './layout.ts'
import { explainLoadError } from './load-error.ts'
import { keyOf, type LoadOptions } from './options.ts'
import { connectPrimary } from './primary.ts'
import { checksum, readState } from './state.ts'
import { runThreads } from './threads.ts'

/**
 * Compares a loaded plant with the simulation: the number of rows and a checksum of each view, over rows that are simulated
 * again and stored in temporary tables.
 *
 * @returns a sentence for each view that differs
 * @throws DatabaseError if the plant is not there or not whole
 */
export async function verifyPlant(dataset: DatasetOptions, options: LoadOptions): Promise<string[]> {
  const { url, schema = 'public', version, threads = 2, onProgress = () => {}, signal } = options
  const layout = layoutOf(schema)
  const { client, config } = await connectPrimary(url)
  try {
    const { key: facts, parts } = createDataset(dataset)
    const state = await readState(client, layout)
    if (!state?.complete || state.key !== keyOf(facts, version))
      throw new DatabaseError(
        `The schema ${layout.tables} ${state?.complete ? `contains another plant: ${state.key}` : 'contains no whole plant'}. Load it first, without --verify.`,
      )
    const { sums } = await runThreads(
      Array.from({ length: parts }, (_, part) => part),
      {
        config,
        schema,
        // a plant that was live has the rows of the time that it has reached
        dataset: { ...dataset, now: state.reached },
        verifies: true,
        threads,
        signal,
        onDone: (done) => onProgress({ ...done, of: parts }),
      },
    )
    const problems: string[] = []
    for (const { name, table } of views) {
      const found = await checksum(client, `${layout.sql.tables}.${table}`)
      const { rows, sum } = sums.get(name)!
      if (found.rows !== rows) problems.push(`${name} has ${found.rows} rows and not ${rows}.`)
      else if (found.sum !== sum) problems.push(`${name} has other rows than the simulation.`)
    }
    return problems
  } catch (error) {
    throw explainLoadError(error)
  } finally {
    await client.end().catch(() => {})
  }
}
