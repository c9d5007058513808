import type { CorpusTopic } from './statement.ts'

/** Realistic statements by topic. */
export const corpus: readonly CorpusTopic[] = []
