/** Quoted texts and numbers with their signs, but no digits of a name. */
const constants = /'(?:[^']|'')*'|(?:(?<=[=<>(,]\s{0,8})[-+]\s?)?(?<![\w.])\d+(?:\.\d+)?/g

/** Equal for statements that differ in numbers and quoted texts alone. An exact reading of the literals is not needed. */
export const kindOf = (statement: string): string => statement.replaceAll(constants, '?')
