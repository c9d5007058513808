/** A name without the view or alias in front of it: `external_id` of `v_experiments.external_id`. */
export const withoutAlias = (key: string): string => key.slice(key.lastIndexOf('.') + 1)

/**
 * The form that all spellings of a name share (rows.case): `externalid` of `external_id`, `EXTERNAL_ID`, `externalId`,
 * `external-id` and `v_experiments.external_id`.
 */
export const formOf = (key: string): string =>
  withoutAlias(key)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/** A key in the spelling of the contract (rows.case): `external_id` of `EXTERNAL_ID`, `externalId` and `external-id`. */
export const inSnakeCase = (key: string): string =>
  withoutAlias(key)
    .replaceAll(/(?<=[\p{Ll}\p{N}])\p{Lu}/gu, '_$&')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .toLowerCase()
