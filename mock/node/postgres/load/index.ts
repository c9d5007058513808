export { loadPlant, type LoadOptions } from './load-plant.ts'
