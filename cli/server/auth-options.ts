import { Command } from 'commander'
import type { JwtOptions, ServerOptions } from '../../mock/index.ts'
import { CommandError, EXIT } from '../exit.ts'
import type { OptionsOf } from '../options/command-options.ts'
import { client, duration, durationOrZero, secretsOrFiles } from '../options/parse.ts'
import { readToken } from '../service/token.ts'

/** The options of `serve` and `exec` that decide who gets in. */
export const authOptions = () =>
  new Command()
    .option(
      '--token <token>',
      'accept this bearer token, or @FILE to read it from a file; repeatable (default: a random token)',
      secretsOrFiles,
    )
    .option('--jwks-url <url>', 'also accept JWTs signed with a key of this JSON Web Key Set')
    .option('--issuer <text>', 'the `iss` claim that JWTs must have')
    .option('--audience <text>', 'the `aud` claim that JWTs must have')
    .option(
      '--clock-skew <duration>',
      'tolerate this difference between clocks (default: 30s)',
      durationOrZero,
    )
    .option(
      '--client <id:secret>',
      'the OAuth client of --variant auth.mode=client-credentials (default: development:<token>)',
      client,
    )
    .option('--token-lifetime <duration>', 'lifetime of the tokens issued to it (default: 60m)', duration)

export type AuthOptions = OptionsOf<typeof authOptions>

/** @throws CommandError if a token is unusable, or --jwks-url, --issuer and --audience are not given together */
export function serverAuth(
  options: AuthOptions,
): Pick<ServerOptions, 'tokens' | 'jwt' | 'client' | 'tokenLifetimeSeconds'> {
  const { token, client, tokenLifetime } = options
  return {
    tokens: token?.map((text) => readToken(text, 'The token')),
    jwt: jwtOf(options),
    client,
    tokenLifetimeSeconds: tokenLifetime && tokenLifetime / 1000,
  }
}

function jwtOf({ jwksUrl, issuer, audience, clockSkew }: AuthOptions): JwtOptions | undefined {
  if (jwksUrl === undefined) {
    if (issuer === undefined && audience === undefined && clockSkew === undefined) return undefined
    throw new CommandError(
      '--issuer, --audience and --clock-skew need --jwks-url. Give it, or leave them out.',
      EXIT.usage,
    )
  }
  if (issuer === undefined || audience === undefined)
    throw new CommandError(
      '--jwks-url needs --issuer and --audience. Give both; without them, tokens for other services would be accepted.',
      EXIT.usage,
    )
  return { jwksUrl, issuer, audience, clockSkewSeconds: clockSkew && clockSkew / 1000 }
}

/**
 * Lines that say how to get a token from the server's own identity provider; none if it has no provider. A secret that
 * was chosen is not in them.
 *
 * @param token that may be printed
 */
export function describeProvider(
  baseUrl: string,
  token: string,
  { client }: AuthOptions,
  mode = 'static',
): string[] {
  if (mode !== 'client-credentials') return []
  const url = `${new URL(baseUrl).origin}/_mock/token`
  // as RFC 6749, 2.3.1, asks, and fit for double quotes in a shell
  const user = encodeURIComponent(client?.id ?? 'development').replaceAll('!', '%21')
  const secret = client ? '$CLIENT_SECRET' : token
  return [`login     curl -sS ${url} -u "${user}:${secret}" -d grant_type=client_credentials`]
}
