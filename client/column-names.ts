import type { VariantOf } from '../schemas/open-points.ts'

/** How each variant of rows.case writes `external_id`: what stands between the words, and the way back if it is another name. */
const spellings: Readonly<
  Record<
    VariantOf<'rows.case'>,
    { readonly between: string; readonly back: ((key: string) => string) | undefined }
  >
> = {
  'as-stored': { between: '_', back: undefined },
  lower: { between: '_', back: undefined },
  upper: { between: '_', back: (key) => key.toLowerCase() },
  camel: { between: '', back: (key) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) },
}

/** Gives a key its documented name; undefined for a variant that needs none, or that this version does not know. */
export const documentedName = (variant: string): ((key: string) => string) | undefined =>
  Object.hasOwn(spellings, variant) ? spellings[variant as keyof typeof spellings].back : undefined

const separators = [...new Set(Object.values(spellings).map(({ between }) => between))]

/** What the spellings of a name have in common: `external_id`, `EXTERNAL_ID`, `externalId`, `v_experiments.external_id`. */
export const formOf = (key: string): string =>
  separators
    .reduce((form, between) => form.replaceAll(between, ''), key.slice(key.lastIndexOf('.') + 1))
    .toLowerCase()
