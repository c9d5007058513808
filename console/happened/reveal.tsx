import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { say } from '../parts/copy.ts'
import { takeFocus } from '../parts/focus.ts'
import { bodyOf, type Service } from '../service/service.ts'
import { shortTime } from '../parts/format.ts'

/** What is shown of a line of `/_mock/answer-key`. */
type Field = 'kind' | 'name' | 'response' | 'unit' | 'begin' | 'end'
type Cause = Readonly<Record<Field, string | null> & { size: number | null }>

/** Causes that act on one run: those that somebody can find in it. */
const own = /^(fault|deviation|decision)$/

/** A button that tells what was planted in a run, so that somebody can test what they saw. */
export function Reveal({ service, run }: { service: Service; run: string }) {
  const [causes, setCauses] = useState<readonly string[]>()
  const reveal = async () => {
    const response = await service.admin(`answer-key?run=${run}`)
    if (!response.ok) return void (await bodyOf(response).catch(({ message }: Error) => say(message)))
    const lines = (await response.text()).split('\n').filter(Boolean)
    const all = lines.map((line) => JSON.parse(line) as Cause)
    setCauses(all.filter(({ kind }) => own.test(String(kind))).map(textOf))
  }
  if (!causes) return <Button class="quiet small" text="reveal the cause" act={() => void reveal()} />
  return (
    <strong role="status" tabIndex={-1} ref={takeFocus}>
      {causes.length > 0
        ? `Planted cause (from the answer key): ${causes.join('; ')}.`
        : 'The answer key has no cause for this run: nothing went wrong.'}
    </strong>
  )
}

/** A cause in a few words: what, how much of which quantity, and when. */
function textOf({ kind, name, response, size, unit, begin, end }: Cause): string {
  if (kind === 'decision') return `${name}, which no signal shows`
  const amount = size === null ? '' : ` of ${[size, unit].filter(Boolean).join(' ')}`
  const time = begin && `, ${shortTime(begin)} to ${end ? shortTime(end) : 'the end'}`
  return `${name}${amount}${response ? ` in ${response}` : ''}${time ?? ''}`
}
