import { cliLines } from './cli.ts'
import { withCompiler } from './compiler.ts'
import { documentLines } from './documents.ts'
import { environmentLines } from './environment.ts'
import { exitLines } from './exit-codes.ts'
import { exportLines } from './exports.ts'
import { headerLines } from './headers.ts'
import { idLines } from './ids.ts'
import { packageLines } from './package.ts'
import { parameterLines } from './parameters.ts'
import { rowLines } from './rows.ts'
import { serverLines } from './server.ts'
import { sourcesWith } from './sources.ts'
import { writtenLines } from './written.ts'

/**
 * The record of the public surface: one sorted line for each fact that users can rely on. See line.ts for the form of a line.
 *
 * @param root the directory of the package
 */
export const surface = (root: string): Promise<string> =>
  withCompiler(root, async (compiler) => {
    const classes = sourcesWith(compiler, /\bclass \w+ extends/).flatMap(({ file }) =>
      [...file.text.matchAll(/\bclass (\w+) extends/g)].map(([, name]) => name!),
    )
    const lines = [
      ...(await cliLines()),
      ...(await environmentLines(compiler)),
      ...(await exitLines(classes)),
      ...(await serverLines()),
      ...exportLines(compiler),
      ...documentLines(compiler),
      ...headerLines(compiler),
      ...parameterLines(compiler),
      ...writtenLines(compiler),
      ...packageLines(root),
      ...idLines(),
      ...rowLines(),
    ]
    return `${[...new Set(lines)].toSorted().join('\n')}\n`
  })
