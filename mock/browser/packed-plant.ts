import { defaultPlant } from '../../fixtures/default-plant.ts'

/** The plant whose snapshot is packed. */
export const packedPlant = { ...defaultPlant, scale: 0.01 } as const
