import type { GeneratedFile, Sources } from './load.ts'
import { moduleText } from './module-text.ts'

/** open-points.ts: the files of schemas/open-points/ as data, one line each, and the type of settings. */
export function generateOpenPoints({ openPoints }: Sources): GeneratedFile[] {
  const settings = openPoints
    .filter(({ variants }) => variants.length > 1)
    .map(({ id, default: usual, variants }) => {
      const others = variants.map(({ slug }) => slug).filter((slug) => slug !== usual)
      return `  '${id}': [${[usual, ...others].map((slug) => `'${slug}'`).join(', ')}],`
    })
  return [
    {
      path: 'open-points.ts',
      text: moduleText(
        "import type { OpenPoint } from './types.ts'",
        '',
        '/** Every point that the contract leaves open, in the order of the contract. */',
        'export const openPoints: readonly (OpenPoint & { readonly id: string })[] = [',
        ...openPoints.map((point) => `  ${JSON.stringify(point)},`),
        ']',
        '',
        '/** The variants of every setting, the default first. */',
        'export const settingVariants = {',
        ...settings,
        '} as const',
        '',
        '/** One variant for every setting. */',
        'export type Settings = { readonly [Id in keyof typeof settingVariants]: (typeof settingVariants)[Id][number] }',
      ),
    },
  ]
}
