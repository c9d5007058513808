import type uPlot from 'uplot'
import { save } from '../parts/copy.ts'
import { colour } from '../parts/theme.ts'
import type { ChartProps } from './curve.ts'
import { csvOf, nameOf } from './table.ts'

const [margin, lineHeight, headHeight] = [12, 18, 52]

/** Saves what a chart shows as a picture of the resolution of the screen: with its title, what a point is, and its legend. */
export function savePicture(plot: uPlot, { title, about = '', curves }: ChartProps): void {
  const { canvas } = plot.ctx
  const [width, height] = [canvas.width / devicePixelRatio, canvas.height / devicePixelRatio]
  const bottom = headHeight + height + margin
  const picture = document.createElement('canvas')
  picture.width = canvas.width
  picture.height = (bottom + curves.length * lineHeight) * devicePixelRatio
  const context = picture.getContext('2d')!
  context.scale(devicePixelRatio, devicePixelRatio)
  context.fillStyle = colour('--back')
  context.fillRect(0, 0, width, picture.height)
  context.drawImage(canvas, 0, headHeight, width, height)
  context.fillStyle = colour('--text')
  context.font = '600 14px system-ui'
  context.fillText(title, margin, 22)
  context.font = '12px system-ui'
  let note = about
  while (context.measureText(note).width > width - 2 * margin) note = `${note.slice(0, -2)}…`
  context.fillText(note, margin, 40)
  context.lineWidth = 2
  curves.forEach(({ label, colour: name, dash }, index) => {
    const y = bottom + index * lineHeight
    context.strokeStyle = colour(name)
    context.setLineDash([...dash])
    context.stroke(new Path2D(`M${margin} ${y}h24`))
    context.fillText(label, margin + 30, y + 4)
  })
  picture.toBlob((blob) => blob && save(blob, nameOf(title, curves, 'png')))
}

/** Saves all points of a chart as CSV. */
export const saveTable = (chart: ChartProps): void =>
  save(csvOf(chart), nameOf(chart.title, chart.curves, 'csv'))
