import { randomBytes } from 'node:crypto'

/** A random token of 24 characters that need no quoting. */
export const randomToken = (): string => randomBytes(18).toString('base64url')
