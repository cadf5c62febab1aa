/** Elements, text and paths of an SVG document. */
import { xmlText } from '../../../base/escapes'
import type { PathSink } from '../scene'

/** An element. @param content XML; absent: the element is empty */
export function tag(name: string, attributes: Readonly<Record<string, string | number>>, content?: string): string {
  const list = Object.entries(attributes).map(([k, v]) => ` ${k}="${typeof v === 'number' ? short(v) : xmlText(v)}"`)
  return content === undefined ? `<${name}${list.join('')}/>` : `<${name}${list.join('')}>${content}</${name}>`
}

/** At most one decimal. */
const short = (n: number): string => String(Math.round(n * 10) / 10)

/** Collects path commands as the `d` of a path. */
export class PathText implements PathSink {
  private readonly parts: string[] = []
  private x = 0
  private y = 0

  get d(): string {
    return this.parts.join('')
  }

  moveTo(x: number, y: number): void {
    this.to('M', [x, y])
  }

  lineTo(x: number, y: number): void {
    this.to('L', [x, y])
  }

  bezierCurveTo(...points: Parameters<PathSink['bezierCurveTo']>): void {
    this.to('C', points)
  }

  /** A corner at (x1, y1) towards (x2, y2), as a quadratic curve; the canvas draws an arc. */
  arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): void {
    const [before, after] = [Math.hypot(this.x - x1, this.y - y1), Math.hypot(x2 - x1, y2 - y1)]
    const r = Math.min(radius, before, after)
    if (r < 0.1) return this.lineTo(x1, y1)
    this.lineTo(x1 + ((this.x - x1) * r) / before, y1 + ((this.y - y1) * r) / before)
    this.to('Q', [x1, y1, x1 + ((x2 - x1) * r) / after, y1 + ((y2 - y1) * r) / after])
  }

  private to(command: string, numbers: readonly number[]): void {
    this.parts.push(command, numbers.map(short).join(' '))
    this.x = numbers[numbers.length - 2]!
    this.y = numbers[numbers.length - 1]!
  }
}
