import type { Behaviour } from '../behaviour.ts'
import type { Withheld } from '../../engine/engine.ts'
import { expiredToken } from './token-refused.ts'

/** The view that no token may read where `auth.permission` withholds one. */
export const withheldView = 'v_formula_results'

/** So many statements a token is good for where it runs out on the way. */
export const statementsOfToken = 50

/** Most tokens that are counted; the oldest are forgotten. */
const mostTokens = 1000

/** What the engine has to keep from a statement. */
export function withheldBy({ 'auth.permission': permission }: Behaviour): Withheld | undefined {
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

/** Lets tokens run out by use, not by time: the same requests meet the same end. */
export class TokenUses {
  readonly #uses = new Map<string, number>()

  /** @throws TokenRefused `expired` when the token has had its statements, for good */
  count(token: string): void {
    const uses = this.#uses.get(token) ?? 0
    if (uses >= statementsOfToken) throw expiredToken()
    this.#uses.set(token, uses + 1)
    if (this.#uses.size > mostTokens) this.#uses.delete(this.#uses.keys().next().value!)
  }
}
