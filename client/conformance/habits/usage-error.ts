/** The habits cannot be run as asked; the message names the remedy. */
export class HabitUsageError extends Error {
  override readonly name = 'HabitUsageError'
}
