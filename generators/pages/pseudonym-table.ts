import { views } from '../../schemas/views.ts'
import { keptKeys, rules, type Treatment } from '../../client/twin/pseudonyms/rules.ts'

const keys = keptKeys.map((key) => `\`${key}\``)

/** The table of docs/twin.md: what becomes of the texts of each treatment. */
const fates: Readonly<Record<Treatment, string>> = {
  kept: 'stay: clients match on them',
  value: 'stay if they are numbers or times',
  formula: 'stay if they have a documented form',
  inside: `become pseudonyms, except times and the texts under ${keys.slice(0, -1).join(', ')} and ${keys.at(-1)}; keys stay`,
  replaced: 'become pseudonyms',
}

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The columns of a treatment. Most columns with texts are replaced, so these are not listed. */
const columnsOf = (treatment: string): string =>
  treatment === 'replaced'
    ? 'all others with texts'
    : textColumns.flatMap((column) => (column.treatment === treatment ? column.name : [])).join(', ')

/** The columns that hold texts. */
const textColumns = views.flatMap(({ name, columns }) =>
  columns
    .filter(({ types, format }) => !format && types.some((type) => type !== 'number' && type !== 'boolean'))
    .map((column) => ({
      name: `\`${name}.${column.name}\``,
      // the compiler names a view that the rules lack
      treatment: (rules[name] as Readonly<Record<string, Treatment>> | undefined)?.[column.name],
    })),
)

/** A page with its table of treatments renewed. */
export const withPseudonymTable = (page: string): string =>
  page.replace(
    /^\| Treatment \|[^]*?(?=\n\n)/m,
    [
      row('Treatment', 'Columns', 'Texts'),
      '|---|---|---|',
      ...Object.entries(fates).map(([treatment, fate]) => row(treatment, columnsOf(treatment), fate)),
    ].join('\n'),
  )
