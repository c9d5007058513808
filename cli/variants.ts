import type { VariantSource } from '../mock/app/server-settings.ts'
import type { Profile } from '../schemas/index.ts'
import { CommandError, EXIT } from './exit.ts'
import { readJsonObject } from './config.ts'

/** The flags and options that set variants when a server starts. */
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
 * The variants a server starts with, and where each was set. Precedence: flag, environment, config file, profile.
 *
 * @param say receives a line for every observation of the profile that is no known variant
 * @throws CommandError for an unknown setting or variant, or a file that is no profile of this contract
 */
export async function chooseVariants(
  { variant = {}, variants: config = {}, profile }: VariantFlags,
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<{ variants: Record<string, string>; variantSources: Record<string, VariantSource> }> {
  const { checkVariants, parseVariants, UnknownVariant } = await import('../mock/app/settings.ts')
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
      const given = checkVariants(await read())
      Object.assign(chosen, given)
      for (const id of Object.keys(given)) sources[id] = source
    } catch (error) {
      if (!(error instanceof UnknownVariant)) throw error
      throw new CommandError(`${name} is wrong. ${error.message}`, EXIT.usage)
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
  for (const [setting, seen] of Object.entries(profile.unmatched ?? {}))
    say(`note: the profile recorded ${setting} as "${seen}", which is not a known variant; ignored.`)
  return profile.variants
}
