import { settingVariants, type Settings } from '../../schemas/open-points.ts'

/** The settings of the reference server by default: the default variant of every open point. */
export const defaultSettings = Object.freeze(
  Object.fromEntries(Object.entries(settingVariants).map(([id, variants]) => [id, variants[0]])),
) as unknown as Settings
