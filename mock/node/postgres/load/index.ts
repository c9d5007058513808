export { loadPlant } from './load-plant.ts'
export type { LoadOptions } from './options.ts'
export { verifyPlant } from './verify-plant.ts'
