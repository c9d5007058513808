import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A component whose code is loaded when it is first shown. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [Shown, show] = useState(() => loaded)
    const [failed, fail] = useState(false)
    useEffect(() => {
      if (loaded) return
      load().then(
        (component) => {
          loaded = component
          show(() => component)
        },
        () => fail(true),
      )
    }, [])
    if (failed)
      return (
        <p class="notice bad">
          A part of the page could not be loaded. Is the server running? Reload the page.
        </p>
      )
    return Shown ? <Shown {...props} /> : <p class="empty">Loading …</p>
  }
}
