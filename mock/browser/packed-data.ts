/**
 * The data directory of `packedPlant`, compressed with brotli, in base64. It has its own module because node uses it but no
 * other packed file. Undefined in the sources: the build overwrites this module in dist/.
 */
export const packedData: string | undefined = undefined
