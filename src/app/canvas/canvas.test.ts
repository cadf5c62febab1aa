import { beforeAll, describe, expect, it } from 'vitest'
import type { GraphView, NodeView, OpFamily } from '../../engine/protocol'
import { emptyNode } from '../../engine/report/empty'
import { unfolded } from '../fold/drawn'
import { layoutGraph, toLayoutInput } from '../layout'
import { cardLines, cardWord, compactText, shortTarget, typeText } from '../layout/text'
import {
  afterResize,
  boxOf,
  cameraAt,
  cameraPlace,
  firstView,
  fitAll,
  fitNodes,
  inView,
  keepPosition,
  reveal,
} from './camera'
import { mix } from './palette'
import { pick } from './pick'
import { buildRegions } from './regions'
import { buildScene, mainItem, type Scene } from './scene'
import type { CanvasGroup, View } from './types'
import { neighbor } from './neighbor'

/** Stub of the browser's Path2D; scenes only write to it. */
class NoPath {
  moveTo(): void {}
  lineTo(): void {}
  bezierCurveTo(): void {}
  arcTo(): void {}
}
beforeAll(() => {
  Object.assign(globalThis, { Path2D: NoPath })
})

/** One node per line: `%name : family = target(inputs)`. */
function view(text: string): GraphView {
  const index = new Map<string, number>()
  const nodes: NodeView[] = []
  for (const line of text.trim().split('\n')) {
    const [, name = '', family = '', target = '', uses = ''] = /%(\w+) : (\w+) = ([\w.]+)\((.*)\)/.exec(line) ?? []
    const inputs = [...uses.matchAll(/%(\w+)/g)].map((m) => index.get(m[1]!)!)
    const op = family === 'input' ? 'placeholder' : family === 'output' ? 'output' : 'call_function'
    const args = uses === '' ? [] : uses.split(', ')
    index.set(name, nodes.length)
    nodes.push({ ...emptyNode(name, op, target), family: family as OpFamily, args, inputs })
  }
  nodes.forEach((n, i) => n.inputs.forEach((u) => nodes[u]!.users.push(i)))
  return { nodes, problems: [] }
}

const RMS = `
%x : input = x()
%w : input = w()
%pow_1 : elementwise = aten.pow.Tensor_Scalar(%x, 2)
%mean : reduction = aten.mean.dim(%pow_1, [-1], True)
%mul : elementwise = aten.mul.Tensor(%pow_1, %mean)
%mul_1 : elementwise = aten.mul.Tensor(%mul, %w)
%mul_2 : elementwise = aten.mul.Tensor(%mul, %w)
%split : view = aten.split.Tensor(%mul_1, 8)
%getitem : getitem = operator.getitem(%split, 0)
%output : output = output(%getitem, %mul_2)
`

const scene = (text: string): Scene => {
  const graph = view(text)
  return buildScene(unfolded(graph), layoutGraph(toLayoutInput(graph)))
}
const group = (nodes: string[], kind: CanvasGroup['kind'] = 'match'): CanvasGroup => ({
  id: nodes.join(),
  nodes,
  color: 0,
  letter: 'A',
  label: 'RMS',
  kind,
})
const at = (s: Scene, name: string): { x: number; y: number; w: number; h: number } =>
  mainItem(s, s.indexOf.get(name)!)!
const screen: View = { x: 0, y: 0, zoom: 1, width: 800, height: 600 }

describe('regions', () => {
  it('take the chip of a shared input only beside consumers in the group', () => {
    const s = scene(RMS)
    const [region] = buildRegions(s, [group(['mul', 'mul_1', 'w'])]).list
    const chips = region!.items.map((i) => s.layout.items[i]!).filter((i) => i.kind === 'chip')
    expect(chips.map((c) => s.graph.nodes[c.consumer]!.name)).toEqual(['mul_1'])
  })
  it('ignore names that the graph lacks', () => {
    expect(buildRegions(scene(RMS), [group(['gone'])]).list).toEqual([])
  })
})

describe('pick', () => {
  it('finds nodes, then the region of a group around them, then nothing', () => {
    const s = scene(RMS)
    const regions = buildRegions(s, [group(['mean'])])
    const b = at(s, 'mean')
    const middle = b.y + b.h / 2
    expect(pick(s, regions, b.x + 5, middle, 1)).toMatchObject({ kind: 'node', node: s.indexOf.get('mean') })
    expect(pick(s, regions, b.x - 5, middle, 1)).toMatchObject({ kind: 'group', id: 'mean' })
    expect(pick(s, regions, b.x - 500, middle, 1)).toBeNull()
  })
  it('picks the group where nodes are too small to click', () => {
    const s = scene(RMS)
    const b = at(s, 'mean')
    expect(pick(s, buildRegions(s, [group(['mean'])]), b.x + 5, b.y + 5, 0.05)).toMatchObject({ kind: 'group' })
  })
})

describe('walking', () => {
  it('follows edges up and down, and the rank sideways, including chips', () => {
    const s = scene(RMS)
    const go = (from: string, direction: 'up' | 'down' | 'left' | 'right'): string | null => {
      const n = neighbor(s, s.indexOf.get(from)!, direction)
      return n === null ? null : s.graph.nodes[n]!.name
    }
    expect(go('mean', 'up')).toBe('pow_1')
    expect(go('mean', 'down')).toBe('mul')
    expect(go('pow_1', 'left')).toBe('x')
    expect(go('x', 'right')).toBe('pow_1')
    expect(go('output', 'down')).toBeNull()
  })
})

describe('camera', () => {
  it('fits the whole drawing into the window', () => {
    const s = scene(RMS)
    const c = fitAll(screen, s)
    expect(c.x).toBeGreaterThanOrEqual(0)
    expect(c.y).toBeGreaterThanOrEqual(0)
    expect(c.y + s.layout.height * c.zoom).toBeLessThanOrEqual(600)
  })
  it('shows the first match where the whole drawing is too small to read', () => {
    const chain = Array.from({ length: 40 }, (_, i) => `%mul_${i + 1} : elementwise = aten.mul.Tensor(%mul_${i}, %x)`)
    const s = scene(['%x : input = x()', '%mul_0 : elementwise = aten.mul.Tensor(%x, %x)', ...chain].join('\n'))
    const small = { ...screen, width: 400, height: 300 }
    expect(firstView(small, s, buildRegions(s, []))).toEqual(fitAll(small, s))
    expect(firstView(small, s, buildRegions(s, [group(['mul_3'], 'nearMiss')]))).toEqual(fitAll(small, s))
    const first = firstView(small, s, buildRegions(s, [group(['mul_2'], 'nearMiss'), group(['mul_10', 'mul_11'])]))
    expect(first.zoom).toBeGreaterThan(0.6)
    expect(inView({ ...small, ...first }, boxOf(s, ['mul_10', 'mul_11'])!)).toBe(true)
    const head = { ...small, ...firstView(small, s, buildRegions(s, [group(['mul_0'])])) }
    expect(head.y).toBeLessThan(80)
  })
  it('keeps a node at its position when an edit moves it', () => {
    const before = scene(RMS)
    const after = scene(
      RMS.replace('%pow_1 :', '%pre : cast = aten.to.dtype(%x)\n%pow_1 :').replace('Scalar(%x', 'Scalar(%pre'),
    )
    const b = at(before, 'mul_1')
    const here: View = { ...screen, zoom: 2, x: 400 - 2 * (b.x + b.w / 2), y: 300 - 2 * (b.y + b.h / 2) }
    const camera = keepPosition(here, before, after)!
    const a = at(after, 'mul_1')
    expect(a.y).not.toBe(b.y)
    expect(a.y * 2 + camera.y).toBeCloseTo(b.y * 2 + here.y)
    expect(keepPosition({ ...screen, ...fitAll(screen, before) }, before, after)).toBeNull()
  })
  it('does not move for a node already in view', () => {
    const s = scene(RMS)
    const view = { ...screen, ...fitAll(screen, s) }
    expect(reveal({ ...view, zoom: view.zoom * 0.5, x: 200, y: 150 }, s, s.indexOf.get('mean')!)).toBeNull()
  })
})

describe('a camera in a link', () => {
  it('shows the same node at the same distance from the center, in another window and drawing', () => {
    const s = scene(RMS)
    const here = { ...screen, x: -40, y: -300, zoom: 1.5 }
    const place = { side: 'before' as const, ...cameraPlace(here, s, fitAll(screen, s))! }
    const there = { ...screen, width: 400, height: 300 }
    const other = scene(RMS.replace('%w : input = w()', '%w : input = w()\n%v : input = v()'))
    const camera = cameraAt(there, other, place)!
    const fromCenter = (v: View, of: Scene) => {
      const box = at(of, place.node)
      return [(box.x + box.w / 2) * v.zoom + v.x - v.width / 2, (box.y + box.h / 2) * v.zoom + v.y - v.height / 2]
    }
    fromCenter({ ...there, ...camera }, other).forEach((d, i) =>
      expect(Math.abs(d - fromCenter(here, s)[i]!)).toBeLessThan(2),
    )
    expect(camera.zoom).toBe(1.5)
  })
  it('is left out in the first view, and moves nothing in a graph without its node', () => {
    const s = scene(RMS)
    const first = firstView(screen, s, buildRegions(s, []))
    expect(cameraPlace({ ...screen, ...first }, s, first)).toBeNull()
    expect(cameraAt(screen, s, { side: 'before', node: 'absent', dx: 0, dy: 0, zoom: 1 })).toBeNull()
  })
})

describe('text', () => {
  const node = (patch: Partial<NodeView>): NodeView => ({ ...view(RMS).nodes[3]!, ...patch })
  it('shortens targets to operator and overload', () => {
    expect(shortTarget(node({ target: 'aten.mm.default' }))).toBe('mm.default')
    expect(cardWord(node({ name: 'mm_1', target: 'aten.mm.default' }))).toBe('mm_1')
    expect(cardWord(node({ name: 'product', target: 'aten.mm.default' }))).toBe('mm')
    expect(shortTarget(node({ target: 'higher_order.auto_functionalized', inner: '_C.silu_and_mul.default' }))).toBe(
      'silu_and_mul',
    )
    expect(shortTarget(node({ target: 'operator.getitem' }))).toBe('getitem')
    expect(shortTarget(node({ target: 'torch.nn.functional.relu' }))).toBe('nn.functional.relu')
  })
  it('shows one word in large type: the operator of a library, the name of a Python function', () => {
    const word = (target: string, inner: string | null = null): string => cardWord(node({ name: 'x', target, inner }))
    expect(word('aten.pow.Tensor_Scalar')).toBe('pow')
    expect(word('higher_order.auto_functionalized', '_C.silu_and_mul.default')).toBe('silu_and_mul')
    expect(word('torch.nn.functional.embedding')).toBe('embedding')
    expect(word('torch._C._nn.linear')).toBe('linear')
    expect(word('torch.rsqrt')).toBe('rsqrt')
    expect(word('torch.nn.silu')).toBe('silu')
    expect(word('operator.getitem')).toBe('getitem')
    expect(word('math.sqrt')).toBe('sqrt')
  })
  it('labels a card with the operator, and names the node in the line that the label leaves', () => {
    const lines = (name: string, target = 'aten.mm.default') => cardLines(node({ name, target })).join(' / ')
    expect(lines('mm')).toBe('mm / mm.default')
    expect(lines('mm_95')).toBe('mm_95 / mm.default')
    expect(lines('my_gemm')).toBe('mm / my_gemm')
    expect(lines('mm_out', 'aten.mm.out')).toBe('mm / mm_out')
  })
  it('shows types and indices as the dumps write them', () => {
    expect(typeText(node({ dtype: 'bf16', shape: '[48, 256]' }))).toBe('bf16[48, 256]')
    expect(typeText(node({}))).toBe('')
    expect(compactText(node({ name: 'getitem_4', family: 'getitem', args: ['%split', '1'] }))).toBe('getitem_4 [1]')
  })
})

it('mixes colors in the forms of computed styles', () => {
  expect(mix('#ffffff', '#000', 0.5)).toBe('rgb(128 128 128)')
  expect(mix('rgb(10, 20, 30)', '#000000', 1)).toBe('rgb(10 20 30)')
})

describe('requested nodes', () => {
  const names = ['mul', 'mul_1', 'w']
  it('are fully in view, at most at zoom 1, in a window of any size', () => {
    const s = scene(RMS)
    const box = boxOf(s, names)!
    for (const [width, height] of [
      [800, 600],
      [260, 360],
      [120, 90],
    ] as const) {
      const view = { ...screen, width, height }
      const camera = fitNodes(view, s, names)!
      expect(camera.zoom).toBeLessThanOrEqual(1)
      expect(inView({ ...view, ...camera }, box)).toBe(true)
    }
    expect(fitNodes(screen, s, ['gone'])).toBeNull()
  })
  it('stay in view when the window gets smaller, and an overview stays an overview', () => {
    const s = scene(RMS)
    const before = { ...screen, ...fitNodes(screen, s, ['mul'])! }
    const now = { ...before, width: 200, height: 300 }
    expect(inView({ ...now, ...afterResize(before, now, s, ['mul'])! }, boxOf(s, ['mul'])!)).toBe(true)
    const all = { ...screen, ...fitAll(screen, s) }
    expect(afterResize(all, { ...all, width: 200 }, s, ['mul'])).toEqual(fitAll({ ...all, width: 200 }, s))
    const elsewhere = { ...before, zoom: 1, x: 5000 }
    expect(afterResize(elsewhere, { ...elsewhere, width: 200 }, s, ['mul'])).toBeNull()
  })
})
