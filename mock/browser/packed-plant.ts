/** The plant whose snapshot is packed. */
export const packedPlant = { seed: 1, scale: 0.01, asOf: '2026-01-01T00:00:00Z' } as const
