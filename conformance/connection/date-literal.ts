/** A way to write a date in a statement: the contract says "a date literal" and shows none (delta.literal). */
export interface DateSpelling {
  slug: string
  /** @param date `YYYY-MM-DD` */
  write(date: string): string
}

/** The spellings of the field, the plainest first. Each begins the day at midnight. */
export const dateSpellings: readonly DateSpelling[] = [
  { slug: 'quoted-date', write: (date) => `'${date}'` },
  { slug: 'iso-date-time', write: (date) => `'${date}T00:00:00Z'` },
  { slug: 'space-date-time', write: (date) => `'${date} 00:00:00'` },
  { slug: 'date-keyword', write: (date) => `DATE '${date}'` },
  { slug: 'timestamp-keyword', write: (date) => `TIMESTAMP '${date} 00:00:00'` },
]

/** Older than any row: a delta that holds everything. The second of January is past 1970 in every zone. */
export const LONG_AGO = '1970-01-02'
