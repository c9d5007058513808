export { isIso8601, isIso8601Zoned } from '../base/time/timestamp.ts'
export type * from './generated/types.ts'
export { contract, type Contract } from './contract.ts'
export { ddl } from './generated/ddl.ts'
export { openapi } from './openapi.ts'
export {
  findOpenPoint,
  isSetting,
  openPoints,
  settingVariants,
  type OpenPoint,
  type SettingId,
  type Settings,
  type Variant,
  type VariantOf,
} from './open-points.ts'
export { contractPage, openPointAnchor, requirementAnchor, sentenceOf } from './reference.ts'
export { columnClause, requirement, requirements, type Clause, type Requirement } from './requirements.ts'
export {
  currentSet,
  isInSet,
  isScored,
  requirementSet,
  requirementSets,
  type RequirementSet,
  type RequirementSetName,
} from './requirement-set.ts'
export { rowSchemas, type Issue, type StandardSchema } from './row-schemas.ts'
export { schemas, type SchemaDocument } from './generated/schemas.ts'
export { statements, type Statement } from './statements.ts'
export { undocumented, type Undocumented } from './undocumented.ts'
export { validators, type SchemaName } from './generated/validators.ts'
export type { ValidationError, Validator } from './validator.ts'
export { tableColumns, view, views, type ColumnDefinition, type ViewDefinition } from './views.ts'
