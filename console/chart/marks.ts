import type uPlot from 'uplot'
import { colour } from '../parts/theme.ts'

/** What is drawn behind the curves of one run, in the unit of the x axis. */
export interface Marks {
  /** A colour of the style sheet. */
  readonly colour: string
  readonly phases: readonly { readonly name: string; readonly from: number; readonly to: number }[]
  readonly lines: readonly { readonly label: string; readonly at: number; readonly colour?: string }[]
  readonly ticks: readonly number[]
}

/** Pixels of a strip of phases and of the gap above it, and the most that all strips take. */
const [stripHeight, allStrips] = [5, 24]

/** The pixels that the strips of some runs take: beyond four runs they are lower. */
export const stripsOf = (runs: number): number => Math.min(runs * (stripHeight + 1), allStrips)

/** Draws phases as strips above the plot, events as dashed lines with a label, boluses and samples as ticks below. */
export function drawMarks(plot: uPlot, marks: readonly Marks[]): void {
  const { ctx } = plot
  const { left, top, width, height } = plot.bbox
  const ratio = devicePixelRatio
  const x = (value: number) => plot.valToPos(value, 'x', true)
  // aligned runs have the same events at about the same place
  const labels = new Map<string, { place: number; stroke: string }>()
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, 0, width, top + height)
  ctx.clip()
  ctx.font = `${10 * ratio}px system-ui`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  marks.forEach((run, index) => {
    const stroke = colour(run.colour)
    const pitch = stripsOf(marks.length) / marks.length
    // from top to bottom in the order of the legend
    const y = top - (marks.length - index) * pitch * ratio
    run.phases.forEach(({ from, to }, phase) => {
      ctx.globalAlpha = phase % 2 === 0 ? 0.35 : 0.75
      ctx.fillStyle = stroke
      ctx.fillRect(x(from), y, Math.max(x(to) - x(from), 1), Math.max(1, pitch - 1) * ratio)
    })
    ctx.globalAlpha = 0.8
    ctx.lineWidth = ratio
    ctx.setLineDash([3 * ratio, 3 * ratio])
    for (const { at, label, colour: own = run.colour } of run.lines) {
      const stroke = colour(own)
      ctx.strokeStyle = stroke
      const place = x(at)
      if (place < left || place > left + width) continue
      ctx.beginPath()
      ctx.moveTo(place, top)
      ctx.lineTo(place, top + height)
      ctx.stroke()
      if (!labels.has(label)) labels.set(label, { place, stroke })
    }
    ctx.setLineDash([])
    for (const at of run.ticks) ctx.fillRect(x(at), top + height - 5 * ratio, ratio, 5 * ratio)
  })
  // over the lines of all runs, on the colour of the page
  ctx.globalAlpha = 1
  ctx.strokeStyle = colour('--back')
  ctx.lineWidth = 4 * ratio
  const inOrder = [...labels].sort(([, a], [, b]) => a.place - b.place)
  inOrder.forEach(([label, { place, stroke }], index) => {
    const wide = ctx.measureText(label).width + 3 * ratio
    const from = place + wide < left + width ? place + 3 * ratio : place - wide
    // neighbours stand below each other
    const y = top + (11 + (index % 2) * 12) * ratio
    ctx.fillStyle = stroke
    ctx.strokeText(label, from, y)
    ctx.fillText(label, from, y)
  })
  ctx.restore()
}
