import { packageFile } from './package.ts'

/** Why a version of Node cannot run the commands, as a sentence; undefined if it can. */
export function nodeProblem(running: string): string | undefined {
  const { engines } = JSON.parse(packageFile('package.json')) as { engines: { node: string } }
  const needed = engines.node.replace('>=', '')
  if (running.localeCompare(needed, 'en', { numeric: true }) >= 0) return undefined
  return `This is Node ${running}, but Node ${needed} or later is needed. Install it and run the command again.`
}
