/** Each pair of text and background colour has a contrast of at least 4.5, in the light and in the dark scheme. */
export const style = `
:root {
  --text: #1c2126; --muted: #57606a; --back: #ffffff; --raised: #f5f7f9; --line: #d5dbe1; --link: #0b57a4;
  --good: #12652f; --good-back: #e4f4e9; --bad: #a8201a; --bad-back: #fdebe9;
  --warn: #754a00; --warn-back: #fff3d1; --info: #0b4f8a; --info-back: #e6f1fb;
  --none: #4d5660; --none-back: #eceff2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e4e8ec; --muted: #9aa5b1; --back: #14181c; --raised: #1d2329; --line: #363f48; --link: #7cb8f5;
    --good: #7bdb97; --good-back: #12311d; --bad: #ff9d94; --bad-back: #431814;
    --warn: #f3c65d; --warn-back: #382a06; --info: #8fc5fb; --info-back: #10283f;
    --none: #b4bec8; --none-back: #2a3138;
  }
}
* { box-sizing: border-box }
body {
  margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 3rem) 4rem; max-width: 76rem;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  color: var(--text); background: var(--back); overflow-wrap: anywhere;
}
h1 { font-size: 1.6rem; line-height: 1.3; margin: 0 0 .5rem }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; padding-top: .5rem; border-top: 1px solid var(--line) }
h3 { font-size: 1rem; margin: 0 0 .25rem }
p { margin: .25rem 0 .5rem }
a { color: var(--link) }
.muted { color: var(--muted) }
.good { --c: var(--good); --g: var(--good-back) }
.bad { --c: var(--bad); --g: var(--bad-back) }
.warn { --c: var(--warn); --g: var(--warn-back) }
.info { --c: var(--info); --g: var(--info-back) }
.none { --c: var(--none); --g: var(--none-back) }
.badge {
  display: inline-block; padding: 0 .5em; border-radius: .3em; white-space: nowrap;
  color: var(--c); background: var(--g); border: 1px solid var(--c);
}
td .badge, h3 .badge { font-size: .85rem; border-color: transparent }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: 1rem 0 0; list-style: none }
article {
  margin: 0 0 1rem; padding: .75rem 1rem; border: 1px solid var(--line); border-left: .3rem solid var(--c);
  border-radius: .3rem; background: var(--raised);
}
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .5rem 0 }
dl.terms { grid-template-columns: minmax(8rem, 18rem) 1fr }
:target { background: var(--warn-back) }
dt { color: var(--muted) }
dd { margin: 0; min-width: 0 }
pre, code { font: .85rem/1.45 ui-monospace, "SF Mono", Menlo, Consolas, monospace }
pre {
  margin: 0; padding: .4rem .6rem; border: 1px solid var(--line); border-radius: .3rem; background: var(--back);
  white-space: pre-wrap; max-height: 30rem; overflow: auto;
}
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9rem; overflow-wrap: break-word }
caption { text-align: left; color: var(--muted); padding-bottom: .4rem }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line) }
thead th { border-bottom: 2px solid var(--line); white-space: nowrap }
tbody th { font-weight: 600 }
tbody th .muted { font-weight: 400 }
td[data-column]:has(.muted) { min-width: 9rem }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.track { display: block; width: 8rem; margin: .2rem 0 0 auto }
.bar { display: block; height: .3rem; min-width: 1px; margin-left: auto; background: var(--info); border-radius: .15rem }
summary { cursor: pointer; color: var(--link) }
details table { margin-top: .5rem; font-size: .8rem; overflow-wrap: anywhere }
@media (max-width: 40rem) {
  body { padding-top: 1rem }
  dl, dl.terms { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: .5rem }
  .stack thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
  .stack > tbody > tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line) }
  .stack > tbody > tr > :is(th, td) { display: block; padding: .1rem 0; border: 0; text-align: left }
  .stack > tbody > tr > :is(td:first-child, td:first-child + th) { display: inline-block; margin-right: .5rem }
  td[data-column]::before { content: attr(data-column) ": "; color: var(--muted) }
  .track, .bar { margin-left: 0 }
}
@media print {
  :root {
    --text: #000; --muted: #444; --back: #fff; --raised: #fff; --line: #bbb; --link: #000;
    --good: #12652f; --good-back: #fff; --bad: #a8201a; --bad-back: #fff; --warn: #754a00; --warn-back: #fff;
    --info: #0b4f8a; --info-back: #fff; --none: #4d5660; --none-back: #fff;
  }
  body { max-width: none; padding: 0; font-size: 10pt }
  nav { display: none }
  pre { max-height: none; overflow: visible }
  .scroll { overflow: visible }
  thead { display: table-header-group }
  tr, h2, h3, article h3 { break-inside: avoid }
  h2, h3, caption { break-after: avoid }
  .bar { print-color-adjust: exact }
  article details::details-content { content-visibility: visible; display: block }
  td > details { display: none }
}
`
