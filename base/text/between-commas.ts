/** The parts of a list of ids or names, such as `sql.limit, REQ-SQL-3`: none of them has a comma. */
export const betweenCommas = (list: string): string[] => list.split(',').map((part) => part.trim())
