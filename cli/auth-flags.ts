import type { Command } from 'commander'
import type { JwtOptions, OAuthClient, Server, ServerOptions } from '../mock/index.ts'
import { CommandError, EXIT } from './exit.ts'
import { client, duration, durationOrNone, repeatable } from './parse.ts'

/** Who gets in, as the flags of `serve` and `exec` say it. */
export interface AuthFlags {
  token?: string[]
  jwksUrl?: string
  issuer?: string
  audience?: string
  clockSkew?: number
  client?: OAuthClient
  tokenLifetime?: number
}

export const withAuthOptions = (command: Command): Command =>
  command
    .option(
      '--token <token>',
      'a bearer token that is accepted; repeatable. Default: a random one, printed',
      repeatable,
    )
    .option('--jwks-url <url>', 'accept JWTs besides, signed with a key of this JSON Web Key Set')
    .option('--issuer <text>', 'who issues them: what they name in `iss`')
    .option('--audience <text>', 'who they are for: what they name in `aud`')
    .option('--clock-skew <duration>', 'how far clocks may be apart. Default: 30s', durationOrNone)
    .option(
      '--client <id:secret>',
      'who may ask /_mock/token for tokens, with --variant auth.mode=client-credentials. Default: development:<token>',
      client,
    )
    .option('--token-lifetime <duration>', 'how long those tokens live. Default: 60m', duration)

/** @throws CommandError for half of what a JWT is checked against */
export function authOptionsOf(
  flags: AuthFlags,
): Pick<ServerOptions, 'tokens' | 'jwt' | 'client' | 'tokenLifetimeSeconds'> {
  const { token, client, tokenLifetime } = flags
  const jwt = jwtOf(flags)
  return {
    ...(token && { tokens: token }),
    ...(jwt && { jwt }),
    ...(client && { client }),
    ...(tokenLifetime !== undefined && { tokenLifetimeSeconds: tokenLifetime / 1000 }),
  }
}

function jwtOf({ jwksUrl, issuer, audience, clockSkew }: AuthFlags): JwtOptions | undefined {
  if (jwksUrl === undefined) {
    if (issuer === undefined && audience === undefined && clockSkew === undefined) return undefined
    throw new CommandError(
      '--issuer, --audience and --clock-skew say how the tokens of --jwks-url are checked. Name that too.',
      EXIT.usage,
    )
  }
  if (issuer === undefined || audience === undefined)
    throw new CommandError(
      '--jwks-url takes an --issuer and an --audience: without them a token for anybody would pass.',
      EXIT.usage,
    )
  return { jwksUrl, issuer, audience, ...(clockSkew !== undefined && { clockSkewSeconds: clockSkew / 1000 }) }
}

/** How to get a token of the server's own identity provider, where it has one. */
export function describeProvider({ baseUrl, token }: Server, flags: AuthFlags, mode = 'static'): string[] {
  if (mode === 'static') return []
  const { id, secret } = flags.client ?? { id: 'development', secret: token }
  const provider = `${new URL(baseUrl).origin}/_mock`
  return mode === 'client-credentials'
    ? [`login     curl -sS ${provider}/token -u '${id}:${secret}' -d grant_type=client_credentials`]
    : [`login     ${provider}/authorize, with the client ${id}:${secret}`]
}
