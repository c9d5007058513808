import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished, root } from './cli.ts'

/** Runs the test files of a folder in vitest, as in a project that has installed the package. */
export function runVitest(folder: string): ReturnType<typeof finished> {
  const config = join(folder, 'vitest.config.mjs')
  writeFileSync(config, "export default { test: { include: ['*.test.ts'], exclude: [] } }\n")
  const args = ['run', '--root', folder, '--config', config, '--reporter', 'verbose']
  return finished(
    spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', CI: '' },
    }),
  )
}
