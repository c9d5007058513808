import { effect, signal } from '@preact/signals'

/** Text that lasts as long as its browser tab. */
function kept(key: string) {
  const text = signal<string | undefined>(sessionStorage.getItem(key) ?? undefined)
  effect(() => {
    if (text.value) sessionStorage.setItem(key, text.value)
    else sessionStorage.removeItem(key)
  })
  return text
}

/** Why a token is not sent: fetch would fail with an error of its own. Undefined for a token that a header can carry. */
export const tokenProblem = (token = ''): string | undefined =>
  /^[!-~]*$/.test(token)
    ? undefined
    : 'The token holds a character that a header cannot carry. Give one of ASCII letters, digits and signs, without spaces.'

/** The token of statements that the user gave. A token that the server tells is not stored. */
export const statementToken = kept('bioprocess-sql.token')

/** The token that the service refused last; undefined after it accepted one. */
export const refusedToken = signal<string | undefined>(undefined)

/** The token of `/_mock/*`, where the server has one. */
export const adminToken = kept('bioprocess-sql.admin-token')
