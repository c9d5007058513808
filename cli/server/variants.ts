import type { VariantSource } from '../../mock/app/server-settings.ts'
import type { Profile } from '../../schemas/index.ts'
import { CommandError, EXIT } from '../exit.ts'
import { isRecording } from './data-folder.ts'
import { say } from '../output/log.ts'
import { readJsonObject } from '../options/config.ts'
import type { ServerFlags } from './server-options.ts'

/** The options that set the variants of a new server; `variants` is that of a config file. */
export type VariantOptions = Pick<ServerFlags, 'variant' | 'profile'> & { variants?: Record<string, string> }

type Given = string | Record<string, string>

/** The environment variable that sets variants, in the syntax of the header `X-Mock-Variant`. */
const variable = 'BIOPROCESS_SQL_VARIANTS'

/**
 * The variants of a new server and the source of each. Precedence, highest first: flag, environment, config file,
 * profile.
 *
 * @param say prints a line; called for every observation of the profile that is not a known variant
 * @param recorded whether the rows come from a recording: they already show some variants of its profile
 * @throws CommandError for an unknown setting or variant, or a file that is not a profile of this contract
 */
export async function chooseVariants(
  { variant = {}, variants: config = {}, profile }: VariantOptions,
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
  recorded = false,
): Promise<{ variants: Record<string, string>; variantSources: Record<string, VariantSource> }> {
  const { parseVariants, UnknownVariant } = await import('../../mock/open-points/settings.ts')
  const { showsInRows } = await import('../../mock/open-points/shows-in-rows.ts')
  const sources: [VariantSource, string, () => Given | Promise<Given>][] = [
    [
      'profile',
      `the profile ${profile}`,
      async () => (profile === undefined ? {} : (await readProfile(profile, say)).variants),
    ],
    ['config', 'the config file', () => config],
    ['environment', variable, () => environment[variable] ?? ''],
    ['flag', '--variant', () => variant],
  ]
  const chosen: Record<string, string> = {}
  const variantSources: Record<string, VariantSource> = {}
  for (const [source, name, read] of sources)
    try {
      const all = Object.entries<string>(parseVariants(await read()))
      const given = Object.fromEntries(
        source === 'profile' && recorded ? all.filter(([id, value]) => !showsInRows(id, value)) : all,
      )
      Object.assign(chosen, given)
      for (const id of Object.keys(given)) variantSources[id] = source
    } catch (error) {
      if (!(error instanceof UnknownVariant)) throw error
      throw new CommandError(`Invalid variants in ${name}: ${error.message}`, EXIT.usage)
    }
  return { variants: chosen, variantSources }
}

/** The variants of a server with the options of the command line and the environment of this process. @throws CommandError */
export const variantsToServe = async (options: VariantOptions & Pick<ServerFlags, 'data'>) =>
  chooseVariants(options, process.env, say, options.data !== undefined && (await isRecording(options.data)))

/** Settings to list of those that a profile leaves out: a service shows all but a few. */
const MOST_LISTED = 12

/**
 * A profile that `conformance --profile-out` or `record` wrote.
 *
 * @throws CommandError for a file that is not a profile of this contract
 */
export async function readProfile(file: string, say: (line: string) => void): Promise<Profile> {
  const { contract, findOpenPoint, isSetting, openPoints } = await import('../../schemas/index.ts')
  const { problemIn } = await import('../../schemas/problem.ts')
  const content = readJsonObject(file, 'profile')
  const { contract: version } = content
  if (typeof version === 'string' && version !== contract.version)
    throw new CommandError(
      `The profile ${file} is for contract ${version}; this server implements contract ${contract.version}. Record a new one with conformance --profile-out.`,
      EXIT.usage,
    )
  const problem = problemIn('profile', content)
  if (problem !== undefined)
    throw new CommandError(
      `${file} is not a profile: ${problem}. Record one with conformance --profile-out.`,
      EXIT.usage,
    )
  const profile = content as unknown as Profile
  const idOf = (name: string) => findOpenPoint(name)?.id ?? name
  for (const [name, seen] of Object.entries(profile.unmatched ?? {}))
    say(`note: the profile recorded ${idOf(name)} as "${seen}", which is not a known variant; ignored.`)
  const named = new Set(Object.keys({ ...profile.variants, ...profile.unmatched }).map(idOf))
  const silent = openPoints.filter(({ id }) => isSetting(id) && !named.has(id))
  const more = silent.length > MOST_LISTED ? `, and ${silent.length - MOST_LISTED} more` : ''
  const ids = silent.slice(0, MOST_LISTED).map(({ id }) => id)
  if (silent.length > 0)
    say(`note: the profile says nothing about ${ids.join(', ')}${more}; the defaults are used.`)
  return profile
}
