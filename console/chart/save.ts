import type uPlot from 'uplot'
import { colour } from '../parts/theme.ts'
import type { Curve } from './curve.ts'

/** Saves what a chart shows, with its title, as a picture of the resolution of the screen. */
export function savePicture(plot: uPlot, title: string): void {
  const { canvas } = plot.ctx
  const head = 30 * devicePixelRatio
  const picture = document.createElement('canvas')
  picture.width = canvas.width
  picture.height = canvas.height + head
  const context = picture.getContext('2d')!
  context.fillStyle = colour('--back')
  context.fillRect(0, 0, picture.width, picture.height)
  context.fillStyle = colour('--text')
  context.font = `600 ${14 * devicePixelRatio}px system-ui`
  context.fillText(title, 12 * devicePixelRatio, 20 * devicePixelRatio)
  context.drawImage(canvas, 0, head)
  picture.toBlob((blob) => blob && save(blob, `${nameOf(title)}.png`))
}

/** Saves all points of a chart as CSV: one line a point, with the name of its curve. */
export function saveTable(curves: readonly Curve[], xLabel: string, title: string): void {
  const lines = curves.flatMap(({ label, xs, ys }) =>
    xs.map((x, index) => `${field(label)},${x},${ys[index] ?? ''}`),
  )
  const text = [`${field('curve')},${field(xLabel)},${field(title)}`, ...lines, ''].join('\r\n')
  save(new Blob([text], { type: 'text/csv' }), `${nameOf(title)}.csv`)
}

const field = (text: string) => `"${text.replaceAll('"', '""')}"`
const nameOf = (title: string) => title.replaceAll(/[^\w]+/g, '-').toLowerCase()

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
