import type { Grant } from '../../open-points/auth/mode.ts'

/** The metadata of the identity provider (RFC 8414; OpenID Connect Discovery 1.0, 3). */
export const metadata = (issuer: string, { type, needsCode }: Grant): object => ({
  issuer,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  grant_types_supported: [type],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  response_types_supported: needsCode ? ['code'] : [],
  ...(needsCode && {
    authorization_endpoint: `${issuer}/authorize`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }),
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
})
