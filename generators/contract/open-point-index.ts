import type { OpenPoint } from '../../schemas/open-points.ts'
import type { Sources } from './load.ts'
import { moduleText } from './module-text.ts'

/**
 * conformance/open-points/index.ts: the probe of every setting. If the file of a setting is missing or has the probe of
 * another setting, the compiler names the file.
 */
export function probeIndex({ openPoints }: Sources): string {
  const settings = openPoints.filter(isSetting)
  return moduleText(
    `import type { SettingId } from '${schemas}'`,
    "import type { NoProbe, Probe } from './probe.ts'",
    ...settings.map(({ id }) => `import { probe as ${variableOf(id)} } from '${fileOf(id)}'`),
    '',
    '/** The probe of every setting, in the order of the contract. */',
    'export const probes: { readonly [Id in SettingId]: Probe<Id> | NoProbe<Id> } = {',
    ...settings.map(({ id }) => `  '${id}': ${variableOf(id)},`),
    '}',
  )
}

/** mock/open-points/index.ts: the module of every setting, as types only. */
export function leafTypes({ openPoints }: Sources): string {
  return moduleText(
    '/** The modules that implement the settings, in the order of the contract. */',
    'export interface Leaves {',
    ...openPoints.filter(isSetting).map(({ id }) => `  '${id}': typeof import('${fileOf(id)}')`),
    '}',
  )
}

/** A module that the index of probes imports. A constant, so that tests do not take the text for an import of this file. */
const schemas = '../../schemas/index.ts'

/** A setting is an open point with several variants. */
const isSetting = ({ variants }: OpenPoint): boolean => variants.length > 1

/** `rows.case` -> `./rows/case.ts` */
const fileOf = (id: string): string => `./${id.replace('.', '/')}.ts`

/** `quantities.data-type` -> `quantitiesDataType` */
const variableOf = (id: string): string =>
  id.replaceAll(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase())
