import { join } from 'node:path'
import { generate } from './generate.ts'
import { load } from './load.ts'
import { command } from './module-text.ts'
import { differences, write } from './output.ts'

/**
 * Writes schemas/generated/ of the package in the current directory, or with `--check` only compares.
 * Exit status: 0 done or up to date, 1 something differs, 2 usage.
 */
async function main(args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== '--check')
  if (unknown !== undefined) {
    console.error(
      `\`${unknown}\` is not an option of ${command}: give --check, or nothing to write the files.`,
    )
    return 2
  }
  const root = process.cwd()
  const directory = join(root, 'schemas', 'generated')
  const files = await generate(load(root))
  if (!args.includes('--check')) {
    write(directory, files)
    return 0
  }
  const found = differences(directory, files)
  if (found.length === 0) return 0
  console.error([...found, `Run \`${command}\` and commit the result.`].join('\n'))
  return 1
}

process.exitCode = await main(process.argv.slice(2))
