import type { OpFamily } from '../../engine/protocol'
import { PATTERN_COLORS } from './types'

/** Colors and fonts that the painter reads, each with its token. */
const TOKENS = {
  ground: 'fs-canvas',
  column: 'fc-column',
  card: 'fs-raised',
  text: 'fs-text',
  muted: 'fs-muted',
  line: 'fc-line',
  hairline: 'fs-border',
  edge: 'fc-edge',
  edgeStrong: 'fc-edge-strong',
  accent: 'fs-accent',
  added: 'fc-added',
  removed: 'fc-removed',
  culprit: 'fc-culprit',
  bound: 'fc-bound',
  violation: 'fc-violation',
  found: 'fc-found',
  onPattern: 'fs-on-pattern',
  mono: 'fs-mono',
  ui: 'fs-font',
} as const

/** Colors and fonts of the canvas, read from the computed CSS once per theme. */
export interface Palette extends Record<keyof typeof TOKENS, string> {
  family: Record<OpFamily, string>
  /** Family colors dimmed towards the background, for nodes without a match. */
  familyDim: Record<OpFamily, string>
  pattern: string[]
  /** Opaque fill of a highlighted region. */
  region: string[]
  /** Stronger fill, for the overview. */
  regionFar: string[]
  hatch(index: number): CanvasPattern | null
  /** Slanted dashes, for the outline of a near miss. */
  dash(index: number): CanvasPattern | null
}

export const FAMILIES: readonly OpFamily[] = [
  'input',
  'output',
  'matmul',
  'elementwise',
  'reduction',
  'view',
  'factory',
  'cast',
  'functionalized',
  'custom',
  'getitem',
  'attention',
  'collective',
  'higher_order',
  'other',
]

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element)
  const get = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const ground = get('fc-column')
  const family = Object.fromEntries(FAMILIES.map((f) => [f, get(`fc-family-${f}`)])) as Record<OpFamily, string>
  const dim = Number(get('fc-dim')) || 0.6
  const share = Number(get('fc-region')) || 0.16
  const pattern = Array.from({ length: PATTERN_COLORS }, (_, i) => get(`fs-pattern-${i}`))
  const own = Object.entries(TOKENS).map(([name, token]) => [name, get(token)])
  return {
    ...(Object.fromEntries(own) as Record<keyof typeof TOKENS, string>),
    family,
    familyDim: Object.fromEntries(FAMILIES.map((f) => [f, mix(family[f], ground, dim)])) as Record<OpFamily, string>,
    pattern,
    region: pattern.map((c) => mix(c, ground, share)),
    regionFar: pattern.map((c) => mix(c, ground, 0.45)),
    hatch: onUse((i) => hatch(mix(pattern[i]!, ground, Math.min(1, share * 2.1)), i)),
    dash: onUse((i) => dash(pattern[i]!, ground)),
  }
}

/** Created on first use: most graphs need one of them. */
function onUse<T>(make: (index: number) => T): (index: number) => T {
  const made = new Map<number, T>()
  return (index) => {
    if (!made.has(index)) made.set(index, make(index))
    return made.get(index)!
  }
}

/** `share` of `a` and the rest of `b`, both `#rgb`, `#rrggbb` or `rgb(…)`. */
export function mix(a: string, b: string, share: number): string {
  const [x, y] = [parse(a), parse(b)]
  const channel = (i: number): number => Math.round(x[i]! * share + y[i]! * (1 - share))
  return `rgb(${channel(0)} ${channel(1)} ${channel(2)})`
}

function parse(color: string): [number, number, number] {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color)
  if (short) return [1, 2, 3].map((i) => parseInt(short[i]! + short[i]!, 16)) as [number, number, number]
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(color)
  if (long) return [1, 2, 3].map((i) => parseInt(long[i]!, 16)) as [number, number, number]
  const numbers = color.match(/[\d.]+/g)?.map(Number) ?? []
  return [numbers[0] ?? 128, numbers[1] ?? 128, numbers[2] ?? 128]
}

/** Half color, half background: a ring filled with it looks like a dashed outline in any shape. */
function dash(color: string, ground: string): CanvasPattern | null {
  const size = 16
  const tile = document.createElement('canvas')
  tile.width = tile.height = size
  const ctx = tile.getContext('2d')
  if (!ctx) return null
  ctx.fillStyle = ground
  ctx.fillRect(0, 0, size, size)
  ctx.fillStyle = color
  for (const x of [-size, 0]) {
    ctx.beginPath()
    ctx.moveTo(x, size)
    ctx.lineTo(x + size, 0)
    ctx.lineTo(x + size * 1.55, 0)
    ctx.lineTo(x + size * 0.55, size)
    ctx.fill()
  }
  return ctx.createPattern(tile, 'repeat')
}

/** One stripe per pattern: eight directions and spacings, so that palette neighbors differ without color. */
function hatch(color: string, index: number): CanvasPattern | null {
  const size = 8
  const tile = document.createElement('canvas')
  tile.width = tile.height = size * 2
  const ctx = tile.getContext('2d')
  if (!ctx) return null
  ctx.scale(2, 2)
  ctx.strokeStyle = ctx.fillStyle = color
  ctx.lineWidth = 1.4
  const lines: [number, number, number, number][][] = [
    [
      [-2, 6, 6, -2],
      [2, 10, 10, 2],
    ],
    [
      [-2, 2, 6, 10],
      [2, -2, 10, 6],
    ],
    [[4, 0, 4, 8]],
    [[0, 4, 8, 4]],
    [
      [-2, 6, 6, -2],
      [2, 10, 10, 2],
      [-2, 2, 6, 10],
      [2, -2, 10, 6],
    ],
    [],
    [
      [4, 0, 4, 8],
      [0, 4, 8, 4],
    ],
    [
      [2, 0, 2, 8],
      [6, 0, 6, 8],
    ],
  ]
  for (const [x0, y0, x1, y1] of lines[index % lines.length]!) {
    ctx.beginPath()
    ctx.moveTo(x0, y0)
    ctx.lineTo(x1, y1)
    ctx.stroke()
  }
  if (index % lines.length === 5) {
    ctx.beginPath()
    ctx.arc(2, 2, 1.1, 0, 7)
    ctx.arc(6, 6, 1.1, 0, 7)
    ctx.fill()
  }
  return ctx.createPattern(tile, 'repeat')
}
