import { CommanderError } from 'commander'
import { vi } from 'vitest'
import { explain, EXIT } from '../../../cli/exit.ts'
import { useLogFormat } from '../../../cli/output/log.ts'
import { program } from '../../../cli/program.ts'
import type { Finished } from './cli.ts'

/** Runs the command line in this process, where a process of its own proves nothing more: starting one takes far longer. */
export async function parseCli(args: string[]): Promise<Finished> {
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text)
      return true
    })
  // a server listens to signals and warnings, which this process needs itself
  for (const name of ['on', 'removeAllListeners'] as const) vi.spyOn(process, name).mockReturnValue(process)
  for (const name of ['BASE_URL', 'TOKEN']) vi.stubEnv(`BIOPROCESS_SQL_${name}`, undefined)
  const { exitCode } = process
  process.exitCode = EXIT.done
  try {
    await (await program(args[0])).parseAsync(args, { from: 'user' })
    return { ...printed, exitCode: Number(process.exitCode) }
  } catch (error) {
    if (error instanceof CommanderError) return { ...printed, exitCode: EXIT.usage }
    const { sentence, exitCode } = explain(error)
    return { ...printed, stderr: `${printed.stderr}bioprocess-sql: ${sentence}\n`, exitCode }
  } finally {
    process.exitCode = exitCode
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
    useLogFormat('plain')
  }
}
