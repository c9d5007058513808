import type { OpenPoint } from '../../schemas/open-points.ts'
import type { GeneratedFile, Sources } from './load.ts'
import { moduleText } from './module-text.ts'

/** open-points.ts: the files of schemas/open-points/ as data, one line each, and the type of settings with what editors show. */
export function generateOpenPoints({ openPoints }: Sources): GeneratedFile[] {
  const settings = openPoints.filter(({ variants }) => variants.length > 1)
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
        ...settings.map((point) => `  '${point.id}': [${slugsOf(point).join(', ')}],`),
        '} as const',
        '',
        '/** One variant for every setting. */',
        'export interface Settings {',
        ...settings.flatMap((point) => [
          `  /**\n   * ${point.question} Default: \`${point.default}\`.\n   *`,
          ...point.variants.map(({ slug, text }) => `   * - \`${slug}\`: ${text}`),
          `   */\n  readonly '${point.id}': ${slugsOf(point).join(' | ')}`,
        ]),
        '}',
      ),
    },
  ]
}

/** The variants as literals, the default first. */
function slugsOf({ default: usual, variants }: OpenPoint): string[] {
  const others = variants.map(({ slug }) => slug).filter((slug) => slug !== usual)
  return [usual, ...others].map((slug) => `'${slug}'`)
}
