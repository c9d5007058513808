/**
 * The data directory of `packedPlant`, compressed with gzip, in base64. A module of its own, because node takes it and
 * nothing else of what is packed. Not there in the sources: the build writes another module over this one in dist/.
 */
export const packedData: string | undefined = undefined
