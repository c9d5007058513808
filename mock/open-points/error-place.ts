/**
 * The line of a statement that holds a word first, and a caret below the word, as psql shows the place of an error;
 * the end of the last line if the statement does not hold the word.
 */
export function placeOf(statement: string, word: string | undefined): string {
  const lines = statement.split('\n')
  const at = word === undefined || word === '' ? -1 : lines.findIndex((line) => line.includes(word))
  const index = at < 0 ? lines.length - 1 : at
  const line = lines[index]!
  const label = `LINE ${index + 1}: `
  return `\n${label}${line}\n${' '.repeat(label.length + (at < 0 ? line.length : line.indexOf(word!)))}^`
}
