import type { EditorView } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface EditorProps {
  text: string
  onChange(text: string): void
  onRun(): void
}

/**
 * A text area that becomes an editor with completion when it is used: the editor is larger than the rest of the page, and
 * the first view does without it.
 */
export function Editor(props: EditorProps) {
  const latest = useRef(props)
  latest.current = props
  const area = useRef<HTMLTextAreaElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const [state, setState] = useState<'plain' | 'loading' | 'open'>('plain')

  const load = async () => {
    if (state !== 'plain') return
    setState('loading')
    const { openEditor } = await import('./codemirror.ts')
    if (!area.current || !host.current) return
    view.current = openEditor(host.current, area.current, {
      onChange: (text) => latest.current.onChange(text),
      onRun: () => latest.current.onRun(),
    })
    setState('open')
  }

  // before the next key: a later effect would bring back the text before it
  useLayoutEffect(() => {
    const current = view.current
    const insert = props.text
    if (!current || current.state.doc.toString() === insert) return
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert } })
  }, [props.text])
  useEffect(() => () => view.current?.destroy(), [])

  return (
    <div class="editor card" onPointerEnter={() => void load()}>
      <div ref={host} />
      {state !== 'open' && (
        <textarea
          ref={area}
          aria-label="SQL statement"
          class="mono"
          spellcheck={false}
          rows={6}
          value={props.text}
          onFocus={() => void load()}
          onInput={(event) => props.onChange(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey || event.shiftKey)) return
            event.preventDefault()
            props.onRun()
          }}
        />
      )}
    </div>
  )
}
