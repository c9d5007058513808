import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './cli.ts'

/**
 * Builds the command line once before the tests that start it as a process: it is what `npm ci` leaves behind and what the
 * package ships, and each start is half a second of work shorter than from the sources.
 */
export default function build(): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
}
