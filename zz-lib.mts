import { chromium } from 'playwright-core'
export const b = await chromium.connectOverCDP('http://127.0.0.1:9377')
export const c = b.contexts()[0]
export let p = c.pages().find((x) => x.url().includes('4741'))
if (!p) {
  p = c.pages()[0]
  await p.setViewportSize({ width: 1280, height: 800 })
  await p.goto('http://127.0.0.1:4741/')
  await p.evaluate(() => sessionStorage.setItem('bioprocess-sql.token', 'development'))
  await p.reload()
  await p.waitForTimeout(1000)
}
let keys = 0
export const k = async (...ks: string[]) => {
  for (const x of ks) {
    keys++
    await p!.keyboard.press(x)
    await p!.waitForTimeout(60)
  }
}
export const t = async (s: string) => {
  keys += s.length
  await p!.keyboard.type(s, { delay: 10 })
}
export const n = () => keys
export const s = (f: string) => p!.screenshot({ path: `/tmp/w/des5/${f}.png` })
export const w = (ms: number) => p!.waitForTimeout(ms)
export const foc = () =>
  p!.evaluate(() => {
    const e = document.activeElement as any
    return (
      e.tagName +
      '#' +
      e.id +
      '.' +
      e.className +
      '|' +
      (e.getAttribute('aria-label') || e.innerText || '').slice(0, 80) +
      (e.getAttribute('aria-activedescendant') || '')
    )
  })
export const go = async (h: string) => {
  await p!.goto('http://127.0.0.1:4741/' + h)
  await w(700)
}
export const txt = async (sel = 'main', n = 3000) => (await p!.locator(sel).first().innerText()).slice(0, n)
