import type { AppOptions } from '../app/app.ts'
import { AuthOptionsError, checkJwtOptions, type JwtOptions } from '../app/auth/jwt-options.ts'
import type { OAuthClient } from '../app/auth/token-request.ts'
import { ServerError } from './listen.ts'
import { randomToken } from './random-token.ts'

/** Who gets in. */
export interface AuthOptions {
  /** Bearer tokens that pass; `'any'` lets every one pass that is not empty. Default: a random one. */
  readonly tokens?: readonly string[] | 'any'
  /** Whose JWTs pass besides. */
  readonly jwt?: JwtOptions
  /**
   * Who may ask the server's own identity provider for tokens, where the variant of `auth.mode` is not `static`.
   * Default: `development`, whose secret is the first of `tokens`.
   */
  readonly client?: OAuthClient
  /** How long a token of the own identity provider lives, in seconds. Default: 3600. */
  readonly tokenLifetimeSeconds?: number
}

/**
 * Checks the options.
 *
 * @returns those of the application, and a token that passes
 * @throws ServerError, AuthOptionsError
 */
export function checkAuthOptions(
  options: AuthOptions,
  authMode = 'static',
): { token: string; app: Pick<AppOptions, 'tokens' | 'jwt' | 'client' | 'tokenLifetimeSeconds'> } {
  const { tokens = [randomToken()], jwt, client, tokenLifetimeSeconds } = options
  if (jwt) checkJwtOptions(jwt)
  if (jwt && tokens === 'any')
    throw new AuthOptionsError('Where any token passes no JWT is looked at. Leave one of the two out.')
  if (jwt && authMode !== 'static')
    throw new AuthOptionsError(
      `Tokens are either those of another identity provider or those of this server's own. Leave out the key set or auth.mode=${authMode}.`,
    )
  if (client && (!isHeaderText(client.id) || !isHeaderText(client.secret)))
    throw new AuthOptionsError('A client has an id and a secret of visible ASCII characters.')
  if (tokenLifetimeSeconds !== undefined && !(tokenLifetimeSeconds >= 1))
    throw new AuthOptionsError('A token lives a second at least.')
  return {
    token: tokens === 'any' ? randomToken() : checkTokens(tokens)[0]!,
    app: {
      ...(tokens !== 'any' && { tokens }),
      ...(jwt && { jwt }),
      ...(client && { client }),
      ...(tokenLifetimeSeconds !== undefined && { tokenLifetimeSeconds }),
    },
  }
}

export function checkTokens(tokens: readonly string[]): readonly string[] {
  if (tokens.length === 0)
    throw new ServerError('Without a token nobody gets in. Name one with --token, or none for a random one.')
  if (!tokens.every(isHeaderText))
    throw new ServerError(
      'A token that is empty or holds spaces or letters beyond ASCII can not be sent in a header. Name another one.',
    )
  return tokens
}

const isHeaderText = (text: string): boolean => /^[!-~]+$/.test(text)
