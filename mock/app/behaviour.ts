import { knobs, type Knobs } from '../../schemas/generated/knobs.ts'

/**
 * What the server does where the contract is silent: one variant for each knob of the register. Frozen; a knob ends in the
 * one stage that reads `behaviour['its.name']`.
 */
export type Behaviour = Knobs

/** The reference server's own choice at every knob: the register's default. */
export const defaultBehaviour = Object.freeze(
  Object.fromEntries(Object.entries(knobs).map(([knob, slugs]) => [knob, slugs[0]])),
) as unknown as Behaviour

/** A variant was asked for that there is not. The message names those there are. */
export class UnknownVariant extends Error {
  override readonly name = 'UnknownVariant'
}

/** Slug by knob. */
export type Variants = Readonly<Record<string, string>>

/**
 * Sets knobs on top of a behaviour, all or none.
 *
 * @param variants slug per knob, as `--variant`, a profile or the header `X-Mock-Variant` give them
 * @throws UnknownVariant that names every knob and slug that the register does not know
 */
export function createBehaviour(variants: Variants, base = defaultBehaviour): Behaviour {
  const wrong = Object.entries(variants).filter(([knob, slug]) => !slugsOf(knob)?.includes(slug))
  if (wrong.length > 0) throw new UnknownVariant(explain(wrong))
  return Object.freeze({ ...base, ...variants })
}

/**
 * Reads the header `X-Mock-Variant: <knob>=<slug>, <knob>=<slug>`.
 *
 * @throws UnknownVariant when it is not of that form
 */
export function parseVariants(header: string): Record<string, string> {
  return Object.fromEntries(
    header.split(',').map((part) => {
      const [, knob, slug] = /^\s*([\w.]+)\s*=\s*([\w-]+)\s*$/.exec(part) ?? []
      if (knob === undefined || slug === undefined) {
        throw new UnknownVariant(
          `"${part.trim()}" is not a variant. Write <knob>=<slug>, such as rows.shape=array.`,
        )
      }
      return [knob, slug]
    }),
  )
}

/** The HTTP status that the variant of an `http.*` knob stands for: the number its slug begins with. */
export function statusOf(slug: string): number {
  return Number.parseInt(slug, 10)
}

const slugsOf = (knob: string): readonly string[] | undefined =>
  Object.hasOwn(knobs, knob) ? knobs[knob as keyof Knobs] : undefined

function explain(wrong: readonly (readonly [knob: string, slug: string])[]): string {
  const unknown = wrong.filter(([knob]) => slugsOf(knob) === undefined)
  const sentences = [
    ...unknown.map(([knob]) => `There is no knob ${JSON.stringify(knob)}.`),
    ...(unknown.length > 0 ? [`The knobs are: ${Object.keys(knobs).toSorted().join(', ')}.`] : []),
    ...wrong
      .filter((one) => !unknown.includes(one))
      .map(([knob, slug]) => {
        const has = slugsOf(knob)!.join(', ')
        return `The knob ${knob} has no variant ${JSON.stringify(slug)}. It has: ${has}.`
      }),
  ]
  return sentences.join(' ')
}
