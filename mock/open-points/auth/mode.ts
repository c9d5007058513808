import { implement } from '../implement.ts'

/** Why the server issues no tokens, with the remedy; undefined: it issues them to clients with their credentials. */
export const whyNoTokens = implement<'auth.mode', string | undefined>('auth.mode', {
  static: 'This server issues no tokens. Start it with --variant auth.mode=client-credentials.',
  'client-credentials': undefined,
  // tokens of another provider pass if the server has the option jwt, and it does not start without
  'authorization-code':
    'This server has no sign-in page. Sign in at an identity provider, such as oauth2-mock-server, and start this server with its --jwks-url, --issuer and --audience.',
})
