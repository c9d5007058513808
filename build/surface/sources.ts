import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import type { Compiler } from './compiler.ts'

/** A source file of the package: its path below the root, with slashes, and its syntax tree. */
export interface Source {
  readonly path: string
  readonly file: SourceFile
}

/** The published source files whose text matches. */
export function sourcesWith({ root, program }: Compiler, pattern: RegExp): Source[] {
  return program
    .getSourceFileNames()
    .filter((name) => !name.includes('node_modules') && /(?<!\.d)\.ts$/.test(name))
    .filter((name) => pattern.test(readFileSync(name, 'utf8')))
    .map((name) => ({ path: relative(root, name).replaceAll('\\', '/'), file: program.getSourceFile(name)! }))
}

/** A node and all nodes in it. */
export function* nodesIn(node: Node): Generator<Node> {
  yield node
  const children: Node[] = []
  node.forEachChild((child) => void children.push(child))
  for (const child of children) yield* nodesIn(child)
}
