import { StatementError } from 'bioprocess-sql-contract/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Overlay, readColumns, readOverlay, readRuns } from './reads'
import { useService } from './service'

/** A failure that may be over soon is tried twice more. A statement that took too long is not: it would take as long again. */
const retry = (count: number, error: Error) => error instanceof StatementError && error.retryable && count < 2

export function useRuns() {
  const service = useService()
  return useQuery({ queryKey: ['runs'], retry, retryDelay: 50, queryFn: () => readRuns(service) })
}

/** Every column of the only chosen run. */
export function useColumns([run, ...others]: readonly string[]) {
  const service = useService()
  return useQuery({
    queryKey: ['columns', run],
    retry,
    retryDelay: 50,
    enabled: run !== undefined && others.length === 0,
    queryFn: () => readColumns(service, run!),
  })
}

/** The points of a quantity in some runs, by run. Reading again asks for newer points only. */
export function useOverlay(runs: readonly string[], quantity: string) {
  const service = useService()
  const cache = useQueryClient()
  const queryKey = ['overlay', quantity, ...runs]
  return useQuery({
    queryKey,
    retry,
    retryDelay: 50,
    enabled: runs.length > 0,
    queryFn: () => readOverlay(service, runs, quantity, cache.getQueryData<Overlay>(queryKey)),
  })
}
