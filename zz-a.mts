import { p, k, t, n, s, w, foc, go, txt, c, b } from './zz-lib.mts'
await p!.setViewportSize({ width: 1280, height: 800 })
const run = async (sql: string) => {
  await k('/')
  await k('Control+a')
  await p!.keyboard.insertText(sql)
  await k('Control+Enter')
}
await k('Escape')
await go('#ask')
await w(400)
let t0 = Date.now()
await run('SELECT * FROM v_timeseries_data')
for (const ms of [300, 700, 1500, 3000]) {
  await w(ms)
  console.log(
    Date.now() - t0,
    (await p!.evaluate(() => document.querySelector('main')!.innerText))
      .replace(/[\s\S]*Past statements[^\n]*\n/, '')
      .slice(0, 300)
      .replace(/\n/g, ' '),
  )
}
await s('big1')
for (let i = 0; i < 12; i++) {
  const done =
    /rows/.test(
      await p!.evaluate(() => document.querySelector('main')!.innerText.replace(/No rows yet/, '')),
    ) && !(await p!.locator('button:has-text("Cancel")').count())
  if (done) break
  await w(1000)
}
console.log('done', Date.now() - t0)
await s('big2')
// Cancel
t0 = Date.now()
await run('SELECT * FROM v_timeseries_data ORDER BY id')
await w(500)
await s('cancel1')
console.log(await foc())
const cb = await p!.evaluate(() =>
  [...document.querySelectorAll('main button')]
    .filter((e: any) => e.offsetParent)
    .map((e: any) => e.innerText.replace(/\n/g, ' '))
    .slice(0, 40)
    .join('|'),
)
console.log(cb)
await k('Escape')
await w(300)
await k('Escape')
await w(800)
await s('cancel2')
console.log(
  (await p!.evaluate(() => document.querySelector('main')!.innerText))
    .replace(/[\s\S]*Past statements[^\n]*\n/, '')
    .slice(0, 300)
    .replace(/\n/g, ' '),
)
process.exit(0)
