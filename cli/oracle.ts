import type { ReferenceServer } from '../conformance/index.ts'
import { showBuild } from './build-progress.ts'

interface Plant {
  seed: number
  scale: number
}

/** The reference server in this process, which `--seeded` compares a target with. */
export async function openOracle({
  seed,
  scale,
}: Plant): Promise<ReferenceServer & { close(): Promise<void> }> {
  const { createReference } = await import('../mock/index.ts')
  const build = showBuild(process.stderr)
  const reference = await createReference({ seed, scale, workers: 2, onProgress: build.step }).finally(
    build.end,
  )
  return { ...reference, seed, scale }
}
