import {
  isCallExpression,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
} from 'typescript/unstable/ast/is'
import type { Compiler } from './compiler.ts'
import { line } from './line.ts'
import { nodesIn, sourcesWith } from './sources.ts'

/** Who writes the JSON of a folder. */
const writers: Readonly<Record<string, string>> = { 'cli/': 'cli', 'proxy/': 'proxy', 'mock/app/': 'server' }

/**
 * Small JSON documents, such as the ready file and the answers to changes below `/_mock/`, have neither a schema nor a type. This
 * scan finds the members of an object that is given to `JSON.stringify` or `json`.
 */
export const writtenLines = (compiler: Compiler): string[] =>
  sourcesWith(compiler, /\b(?:stringify|json)\(\{/).flatMap(({ path, file }) => {
    const writer = Object.entries(writers).find(([folder]) => path.startsWith(folder))?.[1]
    return writer === undefined
      ? []
      : [...nodesIn(file)]
          .flatMap((node) =>
            isCallExpression(node) && /^(?:JSON\.stringify|json)$/.test(node.expression.getText())
              ? node.arguments.slice(0, 1).filter(isObjectLiteralExpression)
              : [],
          )
          .flatMap((object) => [...nodesIn(object)])
          .filter((node) => isPropertyAssignment(node) || isShorthandPropertyAssignment(node))
          .map(({ name }) => line(['json', writer, name.getText()]))
  })
