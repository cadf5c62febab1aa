import { describe, expect, it } from 'vitest'
import { layoutGraph } from './layout'
import { SPACING, type LayoutInput, type LayoutItem, type LayoutNode, type LayoutResult } from './types'

/** One line per node: `name <- inputs`; names that start with `arg` or `empty` are sources, with `get` compact. */
function graph(text: string, aspect = 1.6): { input: LayoutInput; index: (name: string) => number } {
  const names = new Map<string, number>()
  const nodes: LayoutNode[] = []
  for (const line of text.trim().split('\n')) {
    const [name = '', uses = ''] = line.split('<-').map((s) => s.trim())
    const role = /^(arg|empty)/.test(name) ? 'source' : name.startsWith('get') ? 'compact' : 'node'
    const [width, height] = role === 'node' ? [208, 52] : role === 'compact' ? [110, 26] : [70, 22]
    const inputs = uses === '' ? [] : uses.split(/\s+/).map((u) => names.get(u) ?? -1)
    names.set(name, nodes.length)
    nodes.push({ role, width, height, chipWidth: 70, inputs })
  }
  return { input: { nodes, aspect }, index: (name) => names.get(name)! }
}

/** Decoder layers: a normalization, a split in three, a product with a weight, and two residuals each. */
function decoder(layers: number): string {
  const lines = ['arg_ids', 'rope <- arg_ids', 'x0 <- arg_ids']
  for (let i = 0; i < layers; i++) {
    const n = (s: string): string => `${s}_${i}`
    lines.push(
      n('arg_w'),
      n('empty'),
      `${n('f')} <- x${i}`,
      `${n('pow')} <- ${n('f')}`,
      `${n('mean')} <- ${n('pow')}`,
      `${n('mul')} <- ${n('f')} ${n('mean')} ${n('arg_w')}`,
      `${n('t')} <- ${n('arg_w')}`,
      `${n('mm')} <- ${n('mul')} ${n('t')}`,
      `${n('split')} <- ${n('mm')}`,
      ...[0, 1, 2].map((k) => `${n(`get${k}`)} <- ${n('split')}`),
      `${n('attn')} <- ${[0, 1, 2].map((k) => n(`get${k}`)).join(' ')} ${n('empty')} rope`,
      `x${i + 1} <- x${i} ${n('attn')}`,
    )
  }
  lines.push(`output <- x${layers}`)
  return lines.join('\n')
}

const boxes = (r: LayoutResult): LayoutItem[] => r.items.filter((i) => i.kind === 'node' || i.kind === 'compact')

function overlaps(items: readonly LayoutItem[]): [LayoutItem, LayoutItem][] {
  const found: [LayoutItem, LayoutItem][] = []
  items.forEach((a, i) =>
    items.slice(i + 1).forEach((b) => {
      if (a.x < b.x + b.w - 0.5 && b.x < a.x + a.w - 0.5 && a.y < b.y + b.h - 0.5 && b.y < a.y + a.h - 0.5)
        found.push([a, b])
    }),
  )
  return found
}

describe('layoutGraph', () => {
  const { input } = graph(decoder(24))
  const result = layoutGraph(input)

  it('draws no two boxes or chips over each other', () => {
    expect(overlaps(result.items)).toEqual([])
  })

  it('draws every node once, and every source once per use', () => {
    const drawn = boxes(result).map((i) => i.node)
    const ranked = input.nodes.flatMap((n, i) => (n.role === 'source' ? [] : [i]))
    expect([...drawn].sort((a, b) => a - b)).toEqual(ranked)
    const uses = input.nodes.flatMap((n, v) =>
      n.role === 'source' ? [] : n.inputs.filter((u) => input.nodes[u]!.role === 'source').map((u) => `${u}>${v}`),
    )
    const chips = result.items.filter((i) => i.kind === 'chip').map((i) => `${i.node}>${i.consumer}`)
    expect(chips.sort()).toEqual(uses.sort())
  })

  it('shows every use as an edge, a connector or a chip', () => {
    const shown = new Set<string>()
    for (const e of result.edges) shown.add(`${e.source}>${e.target}`)
    for (const [v, n] of input.nodes.entries())
      if (n.role !== 'source') for (const u of n.inputs) expect(shown).toContain(`${u}>${v}`)
  })

  it('routes every flow downwards, from the bottom of its producer to the top of its user', () => {
    for (const e of result.edges) {
      if (e.kind !== 'flow') continue
      for (let i = 3; i < e.points.length; i += 2) expect(e.points[i]!).toBeGreaterThanOrEqual(e.points[i - 2]!)
      const from = result.items[e.from]!
      expect(e.points[1]!).toBeCloseTo(from.y + from.h, 6)
      if (e.target === e.source) continue
      const to = result.items[e.to]!
      expect(from.column).toBe(to.column)
      expect(e.points[e.points.length - 1]!).toBeCloseTo(to.y, 6)
      const x = e.points[e.points.length - 2]!
      expect(x).toBeGreaterThan(to.x)
      expect(x).toBeLessThan(to.x + to.w)
    }
  })

  it('attaches chips at the left of their consumer, within its row', () => {
    const box = new Map(boxes(result).map((i) => [i.node, i]))
    for (const chip of result.items) {
      if (chip.consumer < 0) continue
      const consumer = box.get(chip.consumer)!
      expect(chip.x + chip.w).toBeLessThanOrEqual(consumer.x - SPACING.chipLead + 0.001)
      expect(chip.column).toBe(consumer.column)
      expect(Math.abs(chip.y + chip.h / 2 - consumer.y - consumer.h / 2)).toBeLessThan(60)
    }
  })

  it('folds a tall strip into columns of rising ranks, cut where one value passes', () => {
    expect(result.columns.length).toBeGreaterThan(2)
    let next = 0
    for (const c of result.columns) {
      expect(c.first).toBe(next)
      expect(c.last).toBeGreaterThanOrEqual(c.first)
      next = c.last + 1
    }
    for (const b of boxes(result)) {
      const c = result.columns[b.column]!
      expect(b.rank).toBeGreaterThanOrEqual(c.first)
      expect(b.rank).toBeLessThanOrEqual(c.last)
    }
    const connectors = result.edges.filter((e) => e.kind === 'connector')
    expect(connectors.length).toBe(result.columns.length - 1)
    const aspect = result.width / result.height
    expect(aspect).toBeGreaterThan(1)
    expect(aspect).toBeLessThan(2.6)
  })

  it('aligns a decoder layer on one straight line', () => {
    const axis = new Map(boxes(result).map((i) => [i.node, i.x + i.w / 2]))
    const { index } = graph(decoder(24))
    const main = ['f', 'pow', 'mean', 'mul', 'mm', 'split', 'attn'].map((s) => axis.get(index(`${s}_9`))!)
    expect(Math.max(...main) - Math.min(...main)).toBeLessThan(2)
  })

  it('refers to a value used in many layers by chips instead of long edges', () => {
    const { index } = graph(decoder(24))
    const refs = result.items.filter((i) => i.kind === 'ref' && i.node === index('rope'))
    expect(refs.length).toBeGreaterThan(18)
  })

  it('refers to the far end of a long edge by a chip at its user', () => {
    const chain = Array.from({ length: 40 }, (_, i) => (i === 0 ? 'a0 <- x' : `a${i} <- a${i - 1}`)).join('\n')
    const { input: long, index } = graph(`x\nh <- x\n${chain.replace('<- x', '<- h')}\nnear <- a39 a30\nsum <- near h`)
    const refs = layoutGraph(long).items.filter((i) => i.kind === 'ref')
    expect(refs.map((i) => [i.node, i.consumer])).toEqual([[index('h'), index('sum')]])
  })

  it('is deterministic', () => {
    expect(layoutGraph(graph(decoder(24)).input)).toEqual(result)
  })

  it('leaves a small graph unfolded', () => {
    expect(layoutGraph(graph(decoder(1)).input).columns).toHaveLength(1)
  })

  it('pulls prepared weights down to the rank above their use', () => {
    const { input: small, index } = graph(decoder(2))
    const rank = new Map(boxes(layoutGraph(small)).map((i) => [i.node, i.rank]))
    expect(rank.get(index('t_1'))).toBe(rank.get(index('mm_1'))! - 1)
  })

  it('stacks unconnected parts instead of drawing one wide row', () => {
    const parts = Array.from({ length: 40 }, (_, i) => `arg${i}\na${i} <- arg${i}\nb${i} <- a${i}`).join('\n')
    const drawn = layoutGraph(graph(parts).input)
    expect(overlaps(drawn.items)).toEqual([])
    expect(drawn.width / drawn.height).toBeLessThan(3)
  })

  it('handles unused inputs and an empty graph', () => {
    const drawn = layoutGraph(graph('arg0\narg1\na <- arg1\noutput <- a').input)
    expect(drawn.items.filter((i) => i.kind === 'loose')).toHaveLength(1)
    expect(overlaps(drawn.items)).toEqual([])
    expect(layoutGraph({ nodes: [], aspect: 1.6 })).toMatchObject({ items: [], edges: [] })
  })

  it('draws a graph that is out of order or has a cycle', () => {
    const node = (inputs: number[]): LayoutNode => ({ role: 'node', width: 208, height: 52, chipWidth: 70, inputs })
    const late = layoutGraph({ nodes: [node([1]), node([])], aspect: 1.6 })
    expect(late.items.find((i) => i.node === 0)!.rank).toBe(1)
    const cycle = layoutGraph({ nodes: [node([2]), node([0]), node([1])], aspect: 1.6 })
    expect(boxes(cycle)).toHaveLength(3)
    expect(cycle.items.filter((i) => i.kind === 'ref')).toHaveLength(1)
  })
})
