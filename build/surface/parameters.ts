import type { Node } from 'typescript/unstable/ast'
import { isCallExpression, isPropertyAccessExpression } from 'typescript/unstable/ast/is'
import type { Compiler } from './compiler.ts'
import { line } from './line.ts'
import { literalsOf } from './literals.ts'
import { nodesIn, sourcesWith } from './sources.ts'

/**
 * Parameters of queries and forms have no declaration. This scan finds what the server reads of a URLSearchParams, or of the
 * map that it makes of one: `query.get('state')`, `numberIn(query, 'count')`.
 */
export const parameterLines = (compiler: Compiler): string[] =>
  sourcesWith(compiler, /URLSearchParams|searchParams|query|form/)
    .filter(({ path }) => path.startsWith('mock/'))
    .flatMap(({ file }) =>
      [...nodesIn(file)].flatMap((node) => {
        if (!isCallExpression(node)) return []
        const receiver = isPropertyAccessExpression(node.expression) ? [node.expression.expression] : []
        const isRead = [...receiver, ...node.arguments].some((one) => isParameters(compiler, one))
        const names = isRead ? node.arguments.flatMap((one) => literalsOf(compiler, one)) : []
        return names.filter((name) => /^[a-z_]+$/.test(name)).map((name) => line(['parameter', name]))
      }),
    )

function isParameters({ checker }: Compiler, node: Node): boolean {
  const type = checker.getTypeAtLocation(node)
  const text = type ? checker.typeToString(type) : ''
  return /^(?:URLSearchParams|ReadonlyMap<string, string>)$/.test(text)
}
