import type { CommandUnknownOpts } from 'commander'
import { isElementAccessExpression, isPropertyAccessExpression } from 'typescript/unstable/ast/is'
import { program } from '../../cli/program.ts'
import type { Compiler } from './compiler.ts'
import { line } from './line.ts'
import { literalsOf } from './literals.ts'
import { nodesIn, sourcesWith } from './sources.ts'

/**
 * Environment variables have no declaration. Three scans find them: reads of an object of the type `NodeJS.ProcessEnv` with a
 * literal or a constant, texts that are a variable of this package, and what the help of a command names. They do not find what
 * packages read, such as the `PG…` variables of `pg`.
 */
export const environmentLines = async (compiler: Compiler): Promise<string[]> => [
  ...readVariables(compiler).map((name) => line(['env', name], 'read')),
  ...ownVariables(compiler).map((name) => line(['env', name], 'used')),
  ...namedVariables(await program()),
]

function readVariables(compiler: Compiler): string[] {
  const { checker } = compiler
  return sourcesWith(compiler, /process\.env|ProcessEnv/).flatMap(({ file }) =>
    [...nodesIn(file)].flatMap((node) => {
      if (!isElementAccessExpression(node) && !isPropertyAccessExpression(node)) return []
      const receiver = checker.getTypeAtLocation(node.expression)
      if (!receiver || checker.typeToString(receiver) !== 'ProcessEnv') return []
      return isPropertyAccessExpression(node)
        ? [node.name.text]
        : literalsOf(compiler, node.argumentExpression)
    }),
  )
}

const ownVariables = (compiler: Compiler): string[] =>
  sourcesWith(compiler, /BIOPROCESS_SQL_/).flatMap(({ file }) =>
    [...nodesIn(file)].flatMap((node) => {
      const { text } = node as { text?: unknown }
      return typeof text === 'string' && /^BIOPROCESS_SQL_[A-Z_]+$/.test(text) ? [text] : []
    }),
  )

function namedVariables(command: CommandUnknownOpts): string[] {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  const names = help.match(/\b(?:[A-Z][A-Z\d]*_[A-Z\d_]+|PG[A-Z]{3,})\b/g) ?? []
  return [
    ...names.map((name) => line(['env', name], `named in the help of ${command.name()}`)),
    ...command.commands.flatMap(namedVariables),
  ]
}
