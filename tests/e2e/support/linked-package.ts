import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtCli, root } from './cli.ts'

/** Makes the built package a dependency of the project in a folder, with its command as npm links it. */
export function linkPackage(folder: string): void {
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(root, join(folder, 'node_modules/bioprocess-sql-contract'))
  // the built file is not executable by itself
  const script = `#!/bin/sh\nexec '${process.execPath}' '${builtCli}' "$@"\n`
  writeFileSync(join(folder, 'node_modules/.bin/bioprocess-sql'), script, { mode: 0o755 })
}
