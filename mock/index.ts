export { UnknownVariant } from './app/behaviour.ts'
export { AuthOptionsError, type JwtOptions } from './app/auth/jwt-options.ts'
export type { OAuthClient } from './app/auth/token-request.ts'
export { ServerError } from './node/listen.ts'
export {
  createReference,
  startServer,
  type Reference,
  type ReferenceOptions,
  type Server,
  type ServerOptions,
} from './node/server.ts'
export type { LiveOptions } from './node/pglite/live-plant.ts'
