import type { Settings } from '../settings.ts'
import type { Withheld } from '../../engine/engine.ts'

/** The view that no token may read where `auth.permission` withholds one. */
export const withheldView = 'v_formula_results'

/** So many statements a token is good for where it runs out on the way. */
export const statementsOfToken = 50

/** What the engine has to keep from a statement. */
export function withheldBy({ 'auth.permission': permission }: Settings): Withheld | undefined {
  switch (permission) {
    case '403':
    case 'permission-denied':
      return { view: withheldView, as: 'denied' }
    case 'view-hidden':
      return { view: withheldView, as: 'hidden' }
    default:
      return undefined
  }
}
