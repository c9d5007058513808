import type { SettingId, VariantOf } from '../../schemas/index.ts'
import type { Target } from '../connection/target.ts'

/** How a target fills one open point. Nothing in it is right or wrong. */
export interface Seen {
  /** The variant that was recognised; undefined where none or several of them fit. */
  variant?: string | undefined
  /** A phrase for the report. It may hold names of keys and columns, never values of rows. */
  seen: string
}

/** Recognises the variant that a target has at one open point. It fails nobody. */
export interface Probe<Id extends SettingId = SettingId> {
  readonly id: Id
  /**
   * Id of the check whose exchanges the probe reads. The probe runs after the phase of that check, and is left out
   * with it. Without one it runs after the parallel phase.
   */
  readonly after?: string
  /** The variants of the setting. */
  readonly variants: readonly string[]
  /** Those that the suite cannot recognise, each with the reason. */
  readonly undetectable: Readonly<Record<string, string>>
  /** Undefined where the responses do not tell. */
  observe(t: Target): Promise<Seen | undefined>
}

/** A setting that the suite does not look into. */
export interface NoProbe<Id extends SettingId = SettingId> {
  readonly id: Id
  readonly reason: string
}

interface Undetectable {
  readonly reason: string
}

/** A variant that the suite cannot recognise. */
export const undetectable = (reason: string): Undetectable => ({ reason })

/** What a leaf says of its setting. */
interface Definition<Id extends SettingId, Evidence> {
  readonly after?: string
  /**
   * Reads what tells the variants apart; undefined where the responses do not tell. Annotate its parameter: the type of
   * the evidence is inferred from it.
   */
  read(t: Target): Promise<Evidence | undefined>
  /** The evidence as a phrase without values of rows. */
  seen(evidence: NoInfer<Evidence>): string
  /** For every variant: whether the evidence fits. */
  readonly variants: {
    readonly [Variant in VariantOf<Id>]: Recognition<NoInfer<Evidence>>
  }
}

type Recognition<Evidence> = ((evidence: Evidence) => boolean) | Undetectable

/** Defines the probe of a setting. A target has the variant whose test is the only one that holds. */
export function defineProbe<Id extends SettingId, Evidence>(
  id: Id,
  { after, read, seen, variants }: Definition<Id, Evidence>,
): Probe<Id> {
  const all = Object.entries<Recognition<Evidence>>(variants)
  return {
    id,
    ...(after !== undefined && { after }),
    variants: Object.keys(variants),
    undetectable: Object.fromEntries(
      all.flatMap(([variant, test]) => (typeof test === 'function' ? [] : [[variant, test.reason]])),
    ),
    observe: async (t) => {
      const evidence = await read(t)
      if (evidence === undefined) return undefined
      const fitting = all.filter(([, test]) => typeof test === 'function' && test(evidence))
      return { variant: fitting.length === 1 ? fitting[0]![0] : undefined, seen: seen(evidence) }
    },
  }
}

/** Defines that the suite does not look into a setting, and why. */
export const noProbe = <Id extends SettingId>(id: Id, reason: string): NoProbe<Id> => ({ id, reason })
