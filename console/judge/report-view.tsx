import { useLayoutEffect, useRef } from 'preact/hooks'
import { style } from '../../conformance/reports/html/style.ts'
import { isDark } from '../parts/theme.ts'

/**
 * The HTML report of the suite in the page. The report escapes all its texts and has no script; a parsed document runs none
 * either. Its styles are adopted by a shadow root, so they meet neither the page nor its policy.
 */
export function ReportView({ markup }: { markup: string }) {
  const host = useRef<HTMLDivElement>(null)
  const dark = isDark.value
  useLayoutEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [sheetOf(dark)]
    const parsed = new DOMParser().parseFromString(asPart(markup), 'text/html')
    for (const element of parsed.querySelectorAll<HTMLElement>('[data-width]'))
      element.style.width = `${element.dataset['width']}%`
    const body = document.createElement('div')
    body.className = 'report'
    body.append(...parsed.body.children)
    root.replaceChildren(document.adoptNode(body))
    const jump = (event: Event) => {
      const link = (event.target as HTMLElement).closest('a')
      const id = link?.getAttribute('href')?.match(/^#(.+)/)?.[1]
      if (id === undefined) return
      event.preventDefault()
      root.getElementById(id)?.scrollIntoView({ block: 'start' })
    }
    root.addEventListener('click', jump)
    return () => root.removeEventListener('click', jump)
  }, [markup, dark])
  return <div ref={host} class="report-host" />
}

/** The styles of the report for a shadow root, in the theme of the page. */
function sheetOf(dark: boolean): CSSStyleSheet {
  const scheme = dark ? '@media all' : '@media not all'
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    style
      .replaceAll('@media (prefers-color-scheme: dark)', scheme)
      .replaceAll(':root', ':host')
      .replace(/^body \{/gm, '.report {')
      .replace(/^( +)body \{/gm, '$1.report {'),
  )
  return sheet
}

/**
 * The markup as a part of this page. The page has landmarks of its own, and its policy refuses styles within markup, so the
 * widths of bars become data. Texts of the report are escaped: none of these patterns matches them.
 */
const asPart = (markup: string): string =>
  markup
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replaceAll(/<(\/?)(?:main|header|footer)>/g, '<$1div>')
    .replaceAll(/ style="width:([\d.]+)%"/g, ' data-width="$1"')
