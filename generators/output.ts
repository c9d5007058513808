import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GeneratedFile } from './load.ts'

/** Makes `directory` hold these files and no others. */
export function write(directory: string, files: readonly GeneratedFile[]): void {
  mkdirSync(directory, { recursive: true })
  for (const { path, text } of files) writeFileSync(join(directory, path), text)
  for (const path of superfluous(directory, files)) rmSync(join(directory, path))
}

/** One sentence for each file of `directory` that is stale, missing or superfluous. */
export function differences(directory: string, files: readonly GeneratedFile[]): string[] {
  const present = list(directory)
  const stale = files.filter(({ path, text }) => present.includes(path) && read(directory, path) !== text)
  const missing = files.filter(({ path }) => !present.includes(path))
  return [
    ...stale.map(({ path }) => `schemas/generated/${path} is stale.`),
    ...missing.map(({ path }) => `schemas/generated/${path} is missing.`),
    ...superfluous(directory, files).map((path) => `schemas/generated/${path} is superfluous.`),
  ]
}

function superfluous(directory: string, files: readonly GeneratedFile[]): string[] {
  return list(directory).filter((name) => !files.some(({ path }) => path === name))
}

function list(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).toSorted() : []
}

function read(directory: string, path: string): string {
  return readFileSync(join(directory, path), 'utf8')
}
