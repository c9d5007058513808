import { contract } from '../../schemas/contract.ts'

/** The endpoint of the version after the contract's, where `schema.extra=new-version` puts what is new. */
export const nextVersionPath = contract.endpoint.path.replace('/v1/', '/v2/')
