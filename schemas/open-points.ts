import { openPoints, settingVariants, type Settings } from './generated/open-points.ts'

/**
 * A point that the contract leaves to the implementation, with the variants in use. Its id `<area>.<point>` is the path
 * of its file below schemas/open-points/.
 */
export type OpenPoint = (typeof openPoints)[number]

/** One way to fill an open point. */
export type Variant = OpenPoint['variants'][number]

/** The id of an open point with several variants, of which a server chooses one. */
export type SettingId = keyof Settings

/** The variants of a setting. */
export type VariantOf<Id extends SettingId> = Settings[Id]

/**
 * The open point with this id, its number (`NS-14`) or its former id.
 *
 * @returns undefined for an unknown name
 */
export const findOpenPoint = (name: string): OpenPoint | undefined => byName.get(name)

const byName = new Map(
  openPoints.flatMap((point) =>
    [point.id, point.number, ...(point.formerId === undefined ? [] : [point.formerId])].map(
      (name) => [name, point] as const,
    ),
  ),
)

/** Whether an open point is a setting: it has several variants. */
export const isSetting = (id: string): id is SettingId => Object.hasOwn(settingVariants, id)

export { openPoints, settingVariants, type Settings }
