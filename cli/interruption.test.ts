import { expect, test } from 'vitest'
import { CommandError, EXIT } from './exit.ts'
import { interruptible } from './interruption.ts'

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s aborts the work of a command until it has ended',
  (name) => {
    const before = process.listeners(name)
    const { signal, end } = interruptible('It was interrupted.')
    const added = process.listeners(name).filter((listener) => !before.includes(listener))
    for (const listener of added) listener(name)
    expect(signal.reason).toEqual(new CommandError('It was interrupted.', EXIT.interrupted))
    end()
    expect(process.listeners(name)).toEqual(before)
  },
)
