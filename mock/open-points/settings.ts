import { findOpenPoint, isSetting, type Settings, settingVariants } from '../../schemas/open-points.ts'
import { type EngineSettings, engineSettingIds } from '../statement.ts'

export type { Settings }

/** The settings of the reference server by default: the default variant of every open point. */
export const defaultSettings = Object.freeze(
  Object.fromEntries(Object.entries(settingVariants).map(([id, variants]) => [id, variants[0]])),
) as unknown as Settings

/** Thrown for an unknown setting or variant, and for variants that exclude each other; the message names the remedy. */
export class UnknownVariant extends Error {
  override readonly name = 'UnknownVariant'
}

/** Variants by the id, the number or the former id of their open point. */
export type Variants = Partial<Settings> | Readonly<Record<string, string>>

/**
 * Sets some variants on top of other settings, all or none.
 *
 * @param variants as `--variant`, a profile or the header `X-Mock-Variant` give them
 * @throws UnknownVariant that lists every unknown setting and variant
 */
export function createSettings(variants: Variants, base = defaultSettings): Settings {
  const settings = Object.freeze({ ...base, ...checkVariants(variants) })
  const { 'delta.literal': literal, 'delta.zone': zone } = settings
  if (zone === 'text-comparison' && literal.endsWith('-keyword'))
    throw new UnknownVariant(
      `delta.zone=${zone} compares texts, so a server with delta.literal=${literal} would accept no date at all. Leave out one of them.`,
    )
  return settings
}

/**
 * Variants from outside, such as an environment variable, by the ids, numbers or former ids of their settings.
 *
 * @example createMock({ variants: parseVariants(process.env.VARIANTS ?? 'rows.shape=array, rows.case=upper') })
 * @param given a text as in the header `X-Mock-Variant`, or an object; an empty text has no variants
 * @throws UnknownVariant as {@link checkVariants}, or for a text that is not of that form
 */
export const parseVariants = (given: string | Readonly<Record<string, string>>): Partial<Settings> =>
  checkVariants(typeof given !== 'string' ? given : given.trim() === '' ? {} : splitVariants(given))

/**
 * The same variants by the ids of their settings.
 *
 * @throws UnknownVariant that lists every unknown setting and variant, and every setting given twice
 */
export function checkVariants(variants: Variants): Partial<Settings> {
  if (typeof variants !== 'object' || variants === null)
    throw new UnknownVariant(
      'The variants are not an object. Give one with a variant for each setting, such as {"rows.shape": "array"}.',
    )
  const problems: string[] = []
  const chosen: Record<string, string> = {}
  for (const [name, variant] of Object.entries(variants)) {
    const id = findOpenPoint(name)?.id
    if (id === undefined || !isSetting(id)) problems.push(`There is no setting ${JSON.stringify(name)}.`)
    else if (!(settingVariants[id] as readonly string[]).includes(variant))
      problems.push(
        `The setting ${id} has no variant ${JSON.stringify(variant)}. Its variants: ${settingVariants[id].join(', ')}.`,
      )
    else if (id in chosen && chosen[id] !== variant)
      problems.push(`The setting ${id} is given twice, as ${chosen[id]} and as ${variant}. Give it once.`)
    else chosen[id] = variant
  }
  if (problems.some((problem) => problem.startsWith('There is')))
    problems.push(`The settings are: ${Object.keys(settingVariants).toSorted().join(', ')}.`)
  if (problems.length > 0) throw new UnknownVariant(problems.join(' '))
  return chosen
}

/**
 * Splits the header `X-Mock-Variant: <setting>=<variant>, <setting>=<variant>`.
 *
 * @throws UnknownVariant when it is not of that form
 */
export function splitVariants(header: string): Record<string, string> {
  return Object.fromEntries(
    header.split(',').map((part) => {
      const [, setting, variant] = /^\s*([\w.-]+)\s*=\s*([\w-]+)\s*$/.exec(part) ?? []
      if (setting === undefined || variant === undefined) {
        throw new UnknownVariant(
          `"${part.trim()}" is not a variant. Write <setting>=<variant>, such as rows.shape=array.`,
        )
      }
      return [setting, variant]
    }),
  )
}

/**
 * The settings that the engine reads; undefined if all of them are the default. Computed once per object: most
 * requests share one.
 */
export function engineSettings(settings: Settings): EngineSettings | undefined {
  if (settings === defaultSettings) return undefined
  if (!forEngine.has(settings)) {
    const isDefault = engineSettingIds.every((id) => settings[id] === defaultSettings[id])
    const own = Object.fromEntries(engineSettingIds.map((id) => [id, settings[id]]))
    forEngine.set(settings, isDefault ? undefined : (own as EngineSettings))
  }
  return forEngine.get(settings)
}

const forEngine = new WeakMap<Settings, EngineSettings | undefined>()

/** The settings that are not the default ones, as `X-Mock-Variant` gives them; undefined if all are. Computed once per object. */
export function differing(settings: Settings): string | undefined {
  if (settings === defaultSettings) return undefined
  if (!asText.has(settings)) {
    const ids = Object.keys(settings) as (keyof Settings)[]
    const own = ids.filter((id) => settings[id] !== defaultSettings[id])
    asText.set(settings, own.map((id) => `${id}=${settings[id]}`).join(', ') || undefined)
  }
  return asText.get(settings)
}

const asText = new WeakMap<Settings, string | undefined>()
