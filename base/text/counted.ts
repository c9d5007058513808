/** A count with its noun. @example counted(1, 'row') // '1 row' */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
