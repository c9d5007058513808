import type { AppOptions } from '../app/app.ts'
import { AuthOptionsError, checkJwtOptions, type JwtOptions } from '../app/auth/jwt-options.ts'
import type { OAuthClient } from '../app/auth/token-request.ts'
import { ServerError } from './http/listen.ts'
import { randomToken } from './random-token.ts'

/** The options of authentication. */
export interface AuthOptions {
  /** Accepted bearer tokens; `'any'` accepts every token that is not empty. Default: a random token. */
  readonly tokens?: readonly string[] | 'any'
  /** The identity provider whose JWTs are also accepted. */
  readonly jwt?: JwtOptions
  /**
   * The client of the server's own identity provider, which runs if `auth.mode` is `client-credentials`.
   * Default: `development`, whose secret is the first of `tokens`.
   */
  readonly client?: OAuthClient
  /** Lifetime of the tokens of the server's own identity provider, in seconds. Default: 3600. */
  readonly tokenLifetimeSeconds?: number
}

/**
 * Checks the options.
 *
 * @returns the options of the application, and a valid token
 * @throws ServerError, AuthOptionsError
 */
export function checkAuthOptions(
  options: AuthOptions,
  authMode = 'static',
): { token: string; app: Pick<AppOptions, 'tokens' | 'jwt' | 'client' | 'tokenLifetimeSeconds'> } {
  const { tokens = [randomToken()], jwt, client, tokenLifetimeSeconds } = options
  if (jwt) checkJwtOptions(jwt)
  if (jwt && tokens === 'any')
    throw new AuthOptionsError('A server that accepts any token checks no JWT. Leave out one of the two.')
  if (authMode === 'authorization-code' && !jwt)
    throw new AuthOptionsError(
      'With auth.mode=authorization-code a person signs in at an identity provider, such as oauth2-mock-server. Name its key set, issuer and audience (--jwks-url, --issuer, --audience), or leave out the variant.',
    )
  if (jwt && authMode === 'client-credentials')
    throw new AuthOptionsError(
      "Tokens are either those of another identity provider or those of this server's own. Leave out the key set or auth.mode=client-credentials.",
    )
  if (client && (!isHeaderText(client.id) || !isHeaderText(client.secret)))
    throw new AuthOptionsError('The id and the secret of a client must be visible ASCII characters.')
  if (tokenLifetimeSeconds !== undefined && !(tokenLifetimeSeconds >= 1))
    throw new AuthOptionsError('The lifetime of a token must be at least one second.')
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
    throw new ServerError(
      'No client can pass without a token. Give one with --token, or omit the option for a random one.',
    )
  if (!tokens.every(isHeaderText))
    throw new ServerError(
      'A token that is empty or contains spaces or non-ASCII characters cannot be sent in a header. Give another one.',
    )
  return tokens
}

const isHeaderText = (text: string): boolean => /^[!-~]+$/.test(text)
