/** A text as a literal of SQL, with doubled single quotes. */
export const sqlLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`
