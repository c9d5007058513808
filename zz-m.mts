import { chromium } from 'playwright-core'
import fs from 'fs'
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const p = await b.newPage({ viewport: { width: 2000, height: 1000 } })
const img = (f: string, h: number) =>
  `<img style="height:${h}px;margin:4px" src="data:image/png;base64,${fs.readFileSync('/tmp/w/des5/' + f + '.png').toString('base64')}">`
const mk = async (out: string, fs_: string[], h: number) => {
  await p.setContent('<body style="background:#888;margin:0">' + fs_.map((f) => img(f, h)).join(''))
  await p.waitForTimeout(300)
  await p.screenshot({ path: `/tmp/w/des5/${out}.png`, fullPage: true })
}
for (const t of ['runs', 'ask', 'plot', 'traffic', 'contract', 'judge']) {
  await mk('m-' + t, [`${t}-1280-light`, `${t}-1280-dark`], 600)
  await mk('ms-' + t, [`${t}-390-light`, `${t}-390-dark`, `${t}-768-light`], 840)
}
await mk('mx', ['runs-1920-light', 'ask-1920-light', 'plot-1920-dark', 'traffic-1920-dark'], 545)
await b.close()
