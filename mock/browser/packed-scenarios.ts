/**
 * The rows of all scenarios, as packScenarios (mock/engine/snapshot/scenarios.ts) writes them, compressed with brotli, in base64. Undefined in
 * the sources: the build overwrites this module in dist/.
 */
export const packedScenarios: string | undefined = undefined
