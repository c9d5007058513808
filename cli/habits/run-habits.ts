import { availableParallelism } from 'node:os'
import { counted } from '../../base/text/counted.ts'
import {
  habitFormats,
  type HabitProgress,
  type HabitReport,
  type HabitResult,
  habits,
  habitTerminalReport,
  runHabits,
} from '../../client/conformance/index.ts'
import { readBaseline } from '../suite/baseline.ts'
import { readDataFolder } from '../server/data-folder.ts'
import { CommandError, EXIT } from '../exit.ts'
import type { HabitFlags } from './habit-options.ts'
import type { ServerFlags } from '../server/server-options.ts'
import { chooseVariants } from '../server/variants.ts'
import { showBuild } from '../output/build-progress.ts'
import { openFile } from '../files/output-file.ts'
import { interruptible } from '../interruption.ts'
import { say } from '../output/log.ts'
import { commandTests } from './run-command.ts'

/** `exec` writes no baseline. */
const HABIT_BASELINE =
  'Check its path, and write it as {"contract": "v1", "waivers": {"rows.nulls=omitted": {"reason": "ticket 4711"}}}.'

/** Runs the command under each habit, writes the reports and sets the exit code. */
export async function runHabitMatrix(
  [command, ...args]: readonly string[],
  options: HabitFlags & ServerFlags,
): Promise<void> {
  if (!command)
    throw new CommandError('Give the command after --, such as: exec --habits -- npm test.', EXIT.usage)
  const { only, skip, timeout: timeoutMs, data, seed, scale, asOf, timeLimit: timeLimitMs } = options
  const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline, HABIT_BASELINE)
  const { variants } = await chooseVariants(options, process.env, say)
  const concurrency = options.concurrency ?? availableParallelism()
  const dataset = data === undefined ? undefined : await readDataFolder(data, options, say)
  const files = (options.report ?? []).map(({ format, file }) => ({ format, ...openFile(file) }))
  const build = showBuild(process.stderr)
  const tests = commandTests(command, args)
  const interruption = interruptible()
  try {
    const report = await runHabits(
      tests.run,
      {
        only,
        skip,
        concurrency,
        timeoutMs,
        waivers: baseline?.waivers,
        variants,
        faults: options.fault ?? [],
        engine: { seed, scale, asOf, timeLimitMs, workers: concurrency, onProgress: build.step, dataset },
        signal: interruption.signal,
        onResult: showResult,
      },
      true,
    )
    for (const { format, write } of files) write(habitFormats[format](report))
    const terminal = (options.report ?? []).some(({ file }) => file === '-') ? process.stderr : process.stdout
    terminal.write(habitTerminalReport(report, terminal))
    process.exitCode = exitCodes[report.verdict]
  } catch (error) {
    if (!interruption.signal.aborted) throw error
    process.exitCode = EXIT.interrupted
  } finally {
    interruption.end()
    build.end()
    tests.close()
  }
}

const exitCodes: Record<HabitReport['verdict'], number> = {
  passed: EXIT.done,
  stopped: EXIT.failed,
  incomplete: EXIT.incomplete,
}

/** A line for each habit that stops the command, and one in ten for the others. */
function showResult({ id, outcome, standing }: HabitResult, { done, total, leftMs }: HabitProgress): void {
  if (outcome !== 'stopped' && done % 10 !== 0 && done !== total) return
  const left = done < total ? `, about ${Math.ceil(leftMs / 1000)} s left` : ''
  const what = outcome === 'stopped' ? `stopped by ${id} (${standing})` : 'going on'
  process.stderr.write(`${done} of ${counted(total, 'habit')}${left}: ${what}\n`)
}

/** Prints the id, the standing and the title of every habit. */
export function listHabits(): void {
  const width = Math.max(...habits.map(({ id }) => id.length))
  for (const { id, standing, title } of habits)
    process.stdout.write(`${id.padEnd(width)}  ${standing.padEnd(7)}  ${title}\n`)
}
