import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parse } from 'yaml'
import { finished, root, type Finished } from './cli.ts'

/** The environment of a shell in a pipeline, without the variables of this process that the command line reads. */
export const inherited = (): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(([name]) => !/^(BIOPROCESS_SQL_|VITEST)/.test(name))
  return { ...Object.fromEntries(own), NO_COLOR: '1' }
}

/** Runs a script as a pipeline does: in bash, until the first command that fails. */
export const runBash = (script: string, folder: string, env: NodeJS.ProcessEnv): Promise<Finished> =>
  finished(
    spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { ...inherited(), ...env },
    }),
  )

interface Step {
  name: string
  id?: string
  if?: string
  shell?: string
  env?: Record<string, string>
  run?: string
  uses?: string
  with?: Record<string, string>
}

interface Action {
  inputs: Record<string, { default: string }>
  outputs: Record<string, { value: string }>
  runs: { using: string; steps: Step[] }
}

export const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action

export interface ActionRun {
  outputs: Record<string, string>
  /** The job summary. */
  summary: string
  /** Output of all steps. */
  log: string
  /** The exit code of the first step that failed; 0 if none did. */
  exitCode: number
  /** Names of the steps that ran, with `uses` for a step of another action. */
  steps: string[]
}

/**
 * Runs the steps of action.yml as GitHub does: expressions are replaced, each step is a bash of its own, and files pass outputs and
 * paths on. Actions of others (`uses`) are listed and not run.
 */
export async function runAction(
  folder: string,
  given: Record<string, string>,
  env: NodeJS.ProcessEnv = {},
  actionPath = root,
): Promise<ActionRun> {
  const temp = join(folder, 'runner')
  mkdirSync(temp, { recursive: true })
  const values: Record<string, string> = {
    'github.action_path': actionPath,
    'github.event.pull_request.number': '7',
  }
  for (const [name, { default: value }] of Object.entries(action.inputs))
    values[`inputs.${name}`] = given[name] ?? value
  const fill = (text: string) =>
    text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => values[expression] ?? '')
  const run: ActionRun = { outputs: {}, summary: '', log: '', exitCode: 0, steps: [] }
  let paths = env['PATH'] ?? process.env['PATH']!
  for (const step of action.runs.steps) {
    if (run.exitCode !== 0 || !holds(step.if, values)) continue
    run.steps.push(step.name)
    if (step.run === undefined) continue
    const files = Object.fromEntries(
      ['PATH', 'OUTPUT', 'STEP_SUMMARY'].map((name) => [name, join(temp, name)]),
    )
    for (const file of Object.values(files)) writeFileSync(file, '')
    const { exitCode, stdout, stderr } = await runBash(fill(step.run), folder, {
      ...env,
      PATH: paths,
      RUNNER_TEMP: temp,
      ...Object.fromEntries(Object.entries(files).map(([name, file]) => [`GITHUB_${name}`, file])),
      ...Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text)])),
    })
    run.log += stdout + stderr
    run.exitCode = exitCode
    run.summary += readFileSync(files['STEP_SUMMARY']!, 'utf8')
    for (const line of linesOf(files['PATH']!)) paths = line + delimiter + paths
    for (const line of linesOf(files['OUTPUT']!)) {
      const [, name, value] = /^([\w-]+)=(.*)$/.exec(line)!
      values[`steps.${step.id}.outputs.${name}`] = value!
    }
  }
  run.outputs = Object.fromEntries(
    Object.entries(action.outputs).map(([name, { value }]) => [name, fill(value)]),
  )
  return run
}

const linesOf = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []

/** Whether the condition of a step holds; the action only uses `name != 'text'`. */
function holds(condition: string | undefined, values: Record<string, string>): boolean {
  if (condition === undefined) return true
  const [, name, text] = /^([\w.-]+) != '(\w*)'$/.exec(condition) ?? []
  if (name === undefined)
    throw new Error(`Teach tests/e2e/support/pipeline.ts the condition \`${condition}\`.`)
  return (values[name] ?? '') !== text
}
