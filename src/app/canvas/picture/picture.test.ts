// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest'
import { graph } from '../../../engine/queries/testing/report_fixture'
import { unfolded } from '../../fold/drawn'
import { layoutGraph, toLayoutInput } from '../../layout'
import { FAMILIES, type Palette } from '../palette'
import { buildRegions } from '../regions'
import { buildScene } from '../scene'
import { pngScale } from '../../features/share/pictures'
import { pictureOf } from './picture'
import { xmlText } from '../../../base/escapes'
import { PathText } from './svg'

class NoPath {
  moveTo(): void {}
  lineTo(): void {}
  bezierCurveTo(): void {}
  arcTo(): void {}
}
beforeAll(() => {
  Object.assign(globalThis, { Path2D: NoPath })
})

const COLORS =
  'ground column card text muted line hairline edge edgeStrong accent added removed culprit bound violation'
const family = Object.fromEntries(FAMILIES.map((f) => [f, '#123456'])) as Palette['family']
const palette = {
  ...Object.fromEntries([...COLORS.split(' '), 'onPattern'].map((c) => [c, '#654321'])),
  ...{ mono: '"Mono" , monospace', ui: 'sans-serif', family, familyDim: family },
  ...{ pattern: Array(8).fill('#111111'), region: Array(8).fill('#eeeeee'), regionFar: [] },
  ...{ hatch: () => null, dash: () => null },
} as unknown as Palette

const TEXT = `
  x placeholder
  relu aten.relu.default x
  neg aten.neg.default relu
  out output neg`

function painted(change: (g: ReturnType<typeof graph>) => void = () => {}) {
  const g = graph(TEXT)
  change(g)
  const scene = buildScene(unfolded(g), layoutGraph(toLayoutInput(g)))
  const group = { id: 'a', nodes: ['relu', 'neg'], color: 0, letter: 'A<1', label: 'A', kind: 'match' as const }
  const sets = { selected: new Set<number>(), hovered: new Set<number>(), blamed: new Set<number>() }
  return {
    scene,
    regions: buildRegions(scene, [group]),
    palette,
    marks: new Map([[1, 'culprit' as const]]),
    ...sets,
    foundIn: new Map(),
  }
}

const parsed = (svg: string): Document => new DOMParser().parseFromString(svg, 'image/svg+xml')

describe('the picture of a graph', () => {
  it('is an SVG whose nodes, badges and edges are elements with their text', () => {
    const picture = pictureOf(painted(), null)!
    const svg = parsed(picture.svg)
    const texts = [...svg.querySelectorAll('text')].map((t) => t.textContent)
    expect(texts).toEqual(expect.arrayContaining(['x', 'relu', 'neg', 'out', 'neg.default', '!', 'A<1']))
    expect(picture.nodes).toBe(4)
    expect(svg.querySelectorAll('path').length).toBeGreaterThan(0)
    expect([picture.width, picture.height].every((n) => n > 100)).toBe(true)
  })

  it('escapes what a graph holds: nothing of it becomes markup', () => {
    const attack = '</text><script>alert(1)</script><a xlink:href="javascript:1">\u0000\ud800'
    const { svg } = pictureOf(
      painted((g) => {
        g.nodes[1]!.name = attack
        g.nodes[2]!.target = attack
        g.nodes[2]!.shape = attack
      }),
      null,
    )!
    expect(svg).not.toMatch(/<script|<a |[\u0000\ud800]/)
    expect(parsed(svg).querySelectorAll('script, a')).toHaveLength(0)
    expect(xmlText(`"'&`)).toBe('&quot;&apos;&amp;')
  })

  it('shows of a selection its nodes and what lies around them', () => {
    const all = pictureOf(painted(), null)!
    const part = pictureOf(painted(), new Set([1]))!
    expect(part.height).toBeLessThan(all.height)
    expect(part.svg).toContain('>relu<')
    expect(pictureOf(painted(), new Set())).toBeNull()
  })

  it('rounds the corners of connectors', () => {
    const path = new PathText()
    path.moveTo(0, 0)
    path.arcTo(100, 0, 100, 100, 12)
    path.lineTo(100, 100)
    expect(path.d).toBe('M0 0L88 0Q100 0 100 12L100 100')
  })

  it('is scaled as PNG to what a canvas can hold', () => {
    expect(pngScale({ width: 800, height: 600 })).toBe(2)
    expect(pngScale({ width: 4000, height: 4000 })).toBe(1)
    const wide = pngScale({ width: 40_000, height: 3_000 })
    expect(wide * 40_000).toBeLessThanOrEqual(16_384)
    expect(wide * wide * 40_000 * 3_000).toBeLessThanOrEqual(64 * 1024 * 1024)
  })
})
