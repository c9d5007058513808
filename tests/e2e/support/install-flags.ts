import { everyCase } from './tiers.ts'

/**
 * The fuller tier installs what the packages of others were on this day, so that a release of one of them cannot turn it red. The
 * release tier installs the newest. Move the day when a range in a package.json needs a later one.
 */
const packagesAsOf = '2026-11-28'

/** The flags of `npm install` in a test: no scripts of packages run, and the cache of npm serves what it has. */
export const installFlags = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  ...(everyCase ? [] : [`--before=${packagesAsOf}`]),
]
