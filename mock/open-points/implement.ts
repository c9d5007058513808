import type { SettingId, Settings, VariantOf } from '../../schemas/open-points.ts'

/**
 * Implements a setting: exactly one branch per variant of the register. A variant without a branch does not compile.
 *
 * @returns a function that picks the branch of the variant in use
 */
export const implement =
  <Id extends SettingId, Branch>(id: Id, branches: Readonly<Record<VariantOf<Id>, Branch>>) =>
  (settings: Pick<Settings, Id>): Branch =>
    branches[settings[id]]
