const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Free some space, or name a place on another disk.',
  EDQUOT: 'The disk quota is exceeded. Free some space, or name a place on another disk.',
  EFBIG: 'The file exceeds the size limit. Raise the limit, or name a place on another disk.',
  EIO: 'The disk reports an error. Name a place on another disk.',
  EROFS: 'The disk is read-only. Name a place on another disk.',
  EACCES: 'Permission denied. Name a writable place.',
  EPERM: 'Permission denied. Name a writable place.',
  ENOTDIR: 'A part of this path is a file. Name another path.',
  ELOOP: 'The symbolic links of this path lead in a circle. Name another path.',
  ENAMETOOLONG: 'The name is too long. Name a shorter path.',
  ENXIO: 'Nobody reads this pipe. Start its reader first.',
  EMFILE:
    'Too many files and connections are open. Raise the limit, as with `ulimit -n 4096`, and start again.',
  ENFILE:
    'Too many files and connections are open. Raise the limit, as with `ulimit -n 4096`, and start again.',
}

/** What to do when the system refuses to open or write a file, as a sentence; undefined for a code that may be a bug. */
export const remedyOf = (code: string): string | undefined =>
  Object.hasOwn(REMEDIES, code) ? REMEDIES[code] : undefined
