/** The drawing of a graph as an SVG document: every node with its name, target and type, at zoom 1. */
import { blockDetail, blockDifference, blockTitle } from '../../fold/block_text'
import type { LayoutItem } from '../../layout'
import { cardLines, chipText, compactText, typeText } from '../../layout/text'
import { boundsOf, intersects, type Box } from '../box'
import { SIGN } from '../glyphs'
import type { Paint } from '../paint_content'
import { mix, type Palette } from '../palette'
import { itemsOfNodes, REGION_PAD, type Region } from '../regions'
import { traceEdge } from '../scene'
import { isFilled, PATTERN_COLORS } from '../types'
import { xmlText } from '../../../base/escapes'
import { PathText, tag } from './svg'
import type { Picture } from './types'

const MARGIN = 40
/** A picture of a selection also shows its neighbors. */
const AROUND = 90
/** Advance of a character of the monospaced type at size 1. */
const ADVANCE = 0.605

/** @param only nodes to show, with the nodes around them; null: the whole graph @returns null if the graph has none of them */
export function pictureOf(p: Paint, only: ReadonlySet<number> | null): Picture | null {
  const { items, columns } = p.scene.layout
  const boxes = only ? itemsOfNodes(p.scene, only).map((i) => items[i]!) : [...columns, ...items]
  const bounds = boundsOf(boxes)
  if (!bounds) return null
  const area = inflate(bounds, only ? AROUND : MARGIN)
  const shown = items.filter((b) => intersects(b, area))
  const regions = p.regions.list.filter((r) => intersects(r.bounds, area))
  const content = [
    rect(area, 0, { fill: p.palette.ground }),
    ...columns.filter((c) => intersects(c, area)).map((c) => column(c, p)),
    ...regions.map((r) => region(r, p)),
    ...edges(area, p),
    ...shown.map((item) => card(item, p)),
    ...regions.map((r) => badge(r, p)),
  ]
  const [width, height] = [Math.ceil(area.w), Math.ceil(area.h)]
  const svg = tag(
    'svg',
    {
      ...{ xmlns: 'http://www.w3.org/2000/svg', width, height },
      viewBox: [area.x, area.y, area.w, area.h].map(Math.floor).join(' '),
      'font-family': p.palette.mono,
      'font-size': 11,
    },
    `\n${content.join('\n')}\n`,
  )
  return { svg: `${svg}\n`, width, height, nodes: new Set(shown.map((i) => i.node)).size }
}

const inflate = (b: Box, by: number): Box => ({ x: b.x - by, y: b.y - by, w: b.w + 2 * by, h: b.h + 2 * by })

function rect({ x, y, w, h }: Box, rx: number, style: Record<string, string | number>): string {
  return tag('rect', { x, y, width: w, height: h, rx, ...style })
}

const column = (c: Box, { palette, scene }: Paint): string =>
  rect(inflate(c, 30), 16, {
    fill: palette.column,
    ...(scene.layout.columns.length > 1 && { stroke: palette.hairline }),
  })

/** A match is filled with a solid outline, a near miss has a dashed one. */
function region({ group, items, bands, bridges }: Region, p: Paint): string {
  const index = colorOf(group.color)
  const color = p.palette.pattern[index]!
  const filled = isFilled(group.kind)
  const fill = group.kind === 'nearMiss' ? p.palette.column : p.palette.region[index]!
  if (!filled)
    return items
      .map((i) =>
        rect(inflate(p.scene.layout.items[i]!, REGION_PAD), 12, {
          ...{ fill, stroke: color, 'stroke-width': 2.5, 'stroke-dasharray': '6 4' },
        }),
      )
      .join('')
  const shape = (pad: number, band: number, paint: string): string => {
    const path = new PathText()
    for (const e of bands) traceEdge(path, p.scene.layout.edges[e]!)
    return [
      path.d && tag('path', { d: path.d, fill: 'none', stroke: paint, 'stroke-width': band }),
      ...bridges.map((b) => rect({ ...b, x: b.x - pad, w: b.w + 2 * pad }, 0, { fill: paint })),
      ...items.map((i) => rect(inflate(p.scene.layout.items[i]!, pad), 12, { fill: paint })),
    ].join('')
  }
  return shape(REGION_PAD + 2, 22, color) + shape(REGION_PAD, 18, fill)
}

const colorOf = (color: number): number => ((color % PATTERN_COLORS) + PATTERN_COLORS) % PATTERN_COLORS

/** Edges in the area, one path for each style. */
function edges(area: Box, p: Paint): string[] {
  const { palette, scene } = p
  const plain = new PathText()
  const inside = p.regions.list.map((r) => ({
    color: palette.pattern[colorOf(r.group.color)]!,
    r,
    path: new PathText(),
  }))
  const blamed = new PathText()
  scene.layout.edges.forEach((e, i) => {
    const ends = boundsOf(pointsOf(e.points))!
    if (!intersects(inflate(ends, 1), area)) return
    traceEdge(p.blamed.has(i) ? blamed : plain, e)
  })
  for (const { r, path } of inside)
    if (intersects(r.bounds, area)) for (const e of r.edges) traceEdge(path, scene.layout.edges[e]!)
  const line = (d: string, stroke: string, more: Record<string, string | number> = {}): string[] =>
    d === '' ? [] : [tag('path', { d, fill: 'none', stroke, 'stroke-width': 1.3, ...more })]
  return [
    ...line(plain.d, palette.edge),
    ...inside.flatMap(({ path, color }) => line(path.d, color, { 'stroke-width': 1.7 })),
    ...line(blamed.d, palette.culprit, { 'stroke-width': 3, 'stroke-dasharray': '7 4' }),
  ]
}

function* pointsOf(points: readonly number[]): Iterable<Box> {
  for (let i = 0; i < points.length; i += 2) yield { x: points[i]!, y: points[i + 1]!, w: 0, h: 0 }
}

function card(item: LayoutItem, p: Paint): string {
  const { palette } = p
  const node = p.scene.graph.nodes[item.node]!
  const mark = item.consumer < 0 ? p.marks.get(item.node) : undefined
  const family = palette.family[node.family]
  const selected = p.selected.has(item.node)
  const color = mark ? palette[mark] : selected ? palette.accent : palette.line
  const frame = { fill: palette.card, stroke: color, 'stroke-width': mark || selected ? 2 : 1 }
  const big = item.kind === 'node'
  const block = p.scene.graph.blocks.get(item.node)
  const [first, second, third] = block
    ? [blockTitle(block), blockDetail(block), blockDifference(block) ?? '']
    : [...cardLines(node), typeText(node)]
  const title = tag(
    'title',
    {},
    xmlText((block ? [first, second] : [node.name, node.inner ?? node.target, third]).filter(Boolean).join('\n')),
  )
  const parts = big
    ? [
        rect(item, 8, frame),
        rect({ x: item.x, y: item.y + 2, w: 6, h: item.h - 4 }, 3, { fill: family }),
        line(item, 17, first, { 'font-weight': 600, fill: palette.text }),
        line(item, 31, second, { fill: mix(family, palette.text, 0.6) }),
        line(item, 45, third, { fill: palette.muted }),
      ]
    : [
        rect(item, Math.min(item.h / 2, 12), frame),
        small(
          item,
          item.kind === 'compact' ? compactText(node) : `${PREFIX[item.kind] ?? ''}${chipText(node)}`,
          palette,
        ),
      ]
  if (mark)
    parts.push(
      tag('circle', { cx: item.x, cy: item.y, r: 9, fill: color }),
      centered(item.x, item.y + 4, SIGN[mark], { fill: palette.onPattern, 'font-weight': 700, 'font-size': 12 }),
    )
  return tag(
    'g',
    { id: `n${item.node}${item.consumer < 0 ? '' : `-${item.consumer}-${item.kind}`}` },
    title + parts.join(''),
  )
}

const PREFIX: Partial<Record<LayoutItem['kind'], string>> = { entry: '↳ ', ref: '↗ ' }

/** One line of a card, cut to its width. @param y of the baseline, from the top of the card */
function line(item: LayoutItem, y: number, text: string, style: Record<string, string | number>): string {
  if (text === '') return ''
  return tag('text', { x: item.x + 14, y: item.y + y, ...style }, xmlText(fitting(text, item.w - 24)))
}

function small(item: LayoutItem, text: string, palette: Palette): string {
  return centered(item.x + item.w / 2, item.y + item.h / 2 + 4, fitting(text, item.w - 8), { fill: palette.text })
}

const centered = (x: number, y: number, text: string, style: Record<string, string | number>): string =>
  tag('text', { x, y, 'text-anchor': 'middle', ...style }, xmlText(text))

/** Width of a character at 11 px. */
function fitting(text: string, width: number): string {
  const most = Math.floor(width / (11 * ADVANCE))
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}

function badge({ group, badge: at }: Region, { palette }: Paint): string {
  const color = palette.pattern[colorOf(group.color)]!
  const [fill, on] = isFilled(group.kind) ? [color, palette.onPattern] : [palette.card, color]
  const w = Math.max(17, 8 + group.letter.length * 8)
  return (
    rect({ x: at.x - w / 2, y: at.y - 8.5, w, h: 17 }, 4, { fill, stroke: color }) +
    centered(at.x, at.y + 4, group.letter, { fill: on, 'font-weight': 700, 'font-family': palette.ui })
  )
}
