import type { Mutant } from '../mutant.ts'
import { runConformance } from '../../conformance/run/conformance.ts'
import { createReference } from '../../mock/index.ts'
import type { ConformanceReport } from '../../schemas/index.ts'
import { remembering } from './remembering.ts'
import { shortLimitMs } from './self-proof.ts'

/** A reference server behind mutants that were written from the contract alone. */
export interface BlindReference {
  /** Runs the suite against a mutant, with the checks of its area. */
  judge(mutant: Mutant): Promise<ConformanceReport>
  close(): Promise<unknown>
}

/** Starts the reference server. */
export async function startBlindReference(): Promise<BlindReference> {
  const reference = await createReference({ seed: 1, scale: 0.01, workers: 1, timeLimitMs: shortLimitMs })
  const { baseUrl, token, fetch } = reference
  const fetchOnce = remembering(fetch)
  return {
    judge: ({ breaks, wrap, destructive = false }) => {
      const isOf = (area: string) => breaks.startsWith(`REQ-${area}`)
      return runConformance({
        baseUrl,
        token,
        fetch: wrap(isOf('TIME') ? fetch : fetchOnce),
        timeLimitMs: shortLimitMs,
        skip: isOf('TIME') ? [] : isOf('AUTH') ? ['time.*'] : ['time.*', 'auth.*'],
        destructiveProbes: destructive,
        retries: 0,
      })
    },
    close: () => reference.close(),
  }
}
