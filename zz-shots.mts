import { chromium } from 'playwright-core'
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
for (const scheme of ['light', 'dark'] as const)
  for (const w of [390, 768, 1280, 1920]) {
    const c = await b.newContext({
      viewport: { width: w, height: w < 500 ? 844 : w < 800 ? 1024 : w < 1500 ? 800 : 1080 },
      colorScheme: scheme,
      hasTouch: w < 500,
    })
    await c.addInitScript(() => sessionStorage.setItem('bioprocess-sql.token', 'development'))
    const p = await c.newPage()
    for (const t of ['runs', 'ask', 'plot', 'traffic', 'contract', 'judge']) {
      await p.goto('http://127.0.0.1:4741/#' + t)
      await p.waitForTimeout(t == 'plot' ? 1200 : 700)
      await p.screenshot({ path: `/tmp/w/des5/${t}-${w}-${scheme}.png` })
      const o = await p.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (o > 0) console.log(t, w, scheme, 'overflow', o)
    }
    await c.close()
  }
await b.close()
