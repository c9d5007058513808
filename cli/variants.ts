import type { VariantSource } from '../mock/app/variant-settings.ts'
import type { Profile } from '../schemas/index.ts'
import { CommandError, EXIT } from './exit.ts'
import { readJsonObject } from './config.ts'

/** Where variants of a server can be given at its start. */
export interface VariantFlags {
  /** `--variant`. */
  variant?: Record<string, string>
  /** `variants` of a config file. */
  variants?: Record<string, string>
  /** `--profile`. */
  profile?: string
}

/** The environment variable that gives variants, in the syntax of the header `X-Mock-Variant`. */
const variable = 'BIOPROCESS_SQL_VARIANTS'

/**
 * What a server is to do where the contract is silent, and where each knob of it was given: a flag is stronger
 * than the environment, that than the config file, that than a profile.
 *
 * @param say told what the profile has seen and no server takes on
 * @throws CommandError for a knob or a slug that there is not, or a profile that is none of this contract
 */
export async function chooseVariants(
  { variant = {}, variants: config = {}, profile }: VariantFlags,
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<{ variants: Record<string, string>; variantSources: Record<string, VariantSource> }> {
  const { createBehaviour, parseVariants, UnknownVariant } = await import('../mock/app/behaviour.ts')
  const text = environment[variable] ?? ''
  const layers: [VariantSource, string, () => Record<string, string> | Promise<Record<string, string>>][] = [
    ['profile', `The profile ${profile}`, () => (profile === undefined ? {} : readProfile(profile, say))],
    ['config', 'The config file', () => config],
    ['environment', variable, () => (text.trim() === '' ? {} : parseVariants(text))],
    ['flag', '--variant', () => variant],
  ]
  const chosen: Record<string, string> = {}
  const sources: Record<string, VariantSource> = {}
  for (const [source, name, read] of layers)
    try {
      const given = await read()
      createBehaviour(given)
      Object.assign(chosen, given)
      for (const knob of Object.keys(given)) sources[knob] = source
    } catch (error) {
      if (!(error instanceof UnknownVariant)) throw error
      throw new CommandError(`${name} can not be taken on. ${error.message}`, EXIT.usage)
    }
  return { variants: chosen, variantSources: sources }
}

/** The variants of a profile, as `conformance --profile-out` writes it. */
async function readProfile(file: string, say: (line: string) => void): Promise<Record<string, string>> {
  const { contract, validators } = await import('../schemas/index.ts')
  const content = readJsonObject(file, 'profile')
  const { contract: version } = content
  if (typeof version === 'string' && version !== contract.version)
    throw new CommandError(
      `The profile ${file} is of contract ${version}, this server answers contract ${contract.version}. Record it anew with conformance --profile-out.`,
      EXIT.usage,
    )
  const isProfile = validators.profile
  if (!isProfile(content)) {
    const faults = (isProfile.errors ?? []).map(({ instancePath, message }) =>
      `${instancePath} ${message}`.trim(),
    )
    throw new CommandError(
      `The file ${file} is no profile: ${faults.join(', ')}. Record one with conformance --profile-out.`,
      EXIT.usage,
    )
  }
  const profile = content as unknown as Profile
  for (const [knob, seen] of Object.entries(profile.unmatched ?? {}))
    say(`note: the profile saw of ${knob}: ${seen}. That is no registered variant, and not taken on.`)
  return profile.variants
}
