import { viewsOf } from './columns.ts'
import type { GeneratedFile, Sources } from './load.ts'
import { moduleText } from './module-text.ts'

const definition = '../view-definition.ts'

/** views.ts: the views as data, one line for each column. */
export function generateViews(sources: Sources): GeneratedFile[] {
  const entries = viewsOf(sources).map(({ columns, ...view }) => {
    const lines = columns.map((column) => `    ${JSON.stringify(column)},`)
    return `  { ...${JSON.stringify(view)}, columns: [\n${lines.join('\n')}\n  ] },`
  })
  return [
    {
      path: 'views.ts',
      text: moduleText(
        `import type { ViewDefinition } from '${definition}'`,
        '',
        '/** The nine views in the order of the contract. */',
        'export const views: readonly ViewDefinition[] = [',
        ...entries,
        ']',
      ),
    },
  ]
}
