import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createFolder, own, removeFolder } from './programs.ts'

const mount = (folder: string, options: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0

/** A disk in memory that fills up soon, for a tablespace. Needs the right to mount it. */
export class SmallDisk {
  readonly folder: string
  readonly #mounted: string

  private constructor(mounted: string, folder: string) {
    this.#mounted = mounted
    this.folder = folder
  }

  /** @returns undefined without the right to mount a disk */
  static create(megabytes: number): SmallDisk | undefined {
    const mounted = createFolder()
    if (!mount(mounted, `size=${megabytes}m`)) {
      removeFolder(mounted)
      return undefined
    }
    own(mounted)
    const folder = join(mounted, 'tablespace')
    mkdirSync(folder)
    own(folder)
    return new SmallDisk(mounted, folder)
  }

  grow(megabytes: number): void {
    mount(this.#mounted, `remount,size=${megabytes}m`)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
    spawnSync('umount', [this.#mounted])
    removeFolder(this.#mounted)
  }
}
