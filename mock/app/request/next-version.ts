import { contract } from '../../../schemas/contract.ts'

/** The path of the next version, where `schema.extra=new-version` serves additions. */
export const nextVersionPath = contract.endpoint.path.replace('/v1/', '/v2/')
