import { describe, expect, it } from 'vitest'
import type { TreeNode } from '../../engine/protocol'
import { groupsOf, marksOf, parseGroupId } from '../features/graph/canvas_view'
import { diffEntries } from '../features/patterns/diff'
import { firedMarks, linkedLines, markersOf } from '../features/editor/editor_marks'
import { entry, fused, graph, pass, report, WORKSPACE } from '../testing/report_fixture'
import { highlightOf } from './highlight'
import { miniLayout, shortTarget } from '../features/patterns/mini_layout'
import { letterOf, markOf } from './report_index'
import { searchNodes } from '../features/graph/search'
import { sniff } from '../features/open_files/sniff'
import { rowsOf, treeKey } from '../features/patterns/tree_rows'
import { plainText } from '../../base/message'
import { explanations, reportOf, statusText, summaryOf, variantsSentence } from './verdict'

const at = (selection: Parameters<typeof highlightOf>[0], r = fused()) => highlightOf(selection, r, r.graph, WORKSPACE)

describe('one selection, seen from every side', () => {
  it('a node of a match lights the pattern’s source line, its own text line and the pattern node', () => {
    const h = at({ kind: 'node', side: 'before', name: 'relu' })
    expect([...h.before]).toEqual(['relu'])
    expect(linkedLines('patterns.py', h)).toEqual([5])
    expect(linkedLines('graph.txt', h)).toEqual([3])
    expect([...h.patternNodes]).toEqual([1])
    expect(h.match?.match.index).toBe(0)
  })
  it('a source line lights the nodes that it matched, though Python knows the file by a longer path', () => {
    expect([...at({ kind: 'line', file: 'patterns.py', line: 6 }).before]).toEqual(['neg'])
  })
  it('the registering line lights all matches, on both sides', () => {
    const h = at({ kind: 'line', file: 'patterns.py', line: 9 })
    expect([...h.before]).toEqual(['relu', 'neg'])
    expect([...h.after]).toEqual(['fused'])
  })
  it('a line of the graph’s text is that node', () => {
    expect(at({ kind: 'line', file: 'graph.txt', line: 4 }).focusBefore).toBe('neg')
  })
  it('a pattern node lights its nodes in every match; a pattern input lights what it stood for', () => {
    expect([...at({ kind: 'patternNode', pass: 'patterns', entry: 0, index: 2 }).before]).toEqual(['neg'])
    expect([...at({ kind: 'patternNode', pass: 'patterns', entry: 0, index: 0 }).before]).toEqual(['x'])
  })
  it('a match is its nodes before and what replaced them after', () => {
    const h = at({ kind: 'match', pass: 'patterns', index: 0 })
    expect([[...h.before], [...h.after]]).toEqual([['relu', 'neg'], ['fused']])
    expect(linkedLines('patterns.py', h)).toEqual([5, 6])
  })
  it('an added node leads back to its match', () => {
    expect(at({ kind: 'node', side: 'after', name: 'fused' }).match?.match.node).toBe('neg')
  })
  it('a near miss names the culprit and the line of the pattern', () => {
    const h = at({ kind: 'nearMiss', pass: 'patterns', index: 0 })
    expect(h.culprit).toBe('neg')
    expect(linkedLines('patterns.py', h)).toEqual([6])
  })
  it('what is no longer there is nothing, never a crash', () => {
    expect(at({ kind: 'match', pass: 'gone', index: 9 }).before.size).toBe(0)
    expect(highlightOf({ kind: 'node', side: 'after', name: 'gone' }, null, null, WORKSPACE).match).toBeNull()
  })
})

describe('what the canvas draws', () => {
  it('groups matches before and replacements after under the same id', () => {
    const r = fused()
    const [before] = groupsOf(r, r.graph, 'before')
    const [after] = groupsOf(r, r.after!, 'after')
    expect(before).toMatchObject({ id: 'patterns:0', nodes: ['relu', 'neg'], letter: 'A1', kind: 'match' })
    expect(after).toMatchObject({ id: 'patterns:0', nodes: ['fused'], kind: 'added' })
    expect(parseGroupId('a:b:12')).toEqual({ kind: 'match', pass: 'a:b', index: 12 })
    expect(parseGroupId('a:1!2@mul_3')).toEqual({ kind: 'nearMiss', pass: 'a:1', index: 2, place: 'mul_3' })
  })
  it('leaves out nodes that a newer graph no longer has', () => {
    const r = fused()
    expect(groupsOf(r, graph('x placeholder'), 'before')).toEqual([])
  })
  it('marks removed nodes only where both graphs are seen, added ones wherever the graph after is', () => {
    const r = fused()
    expect([...marksOf(r, r.graph, 'before', 'before', new Map())]).toEqual([])
    expect([...marksOf(r, r.graph, 'before', 'split', new Map())]).toEqual([
      ['relu', 'removed'],
      ['neg', 'removed'],
    ])
    expect([...marksOf(r, r.after!, 'after', 'after', new Map())]).toEqual([['fused', 'added']])
  })
  it('gives a class one colour and letter, its variants numbers', () => {
    const r = fused()
    expect([0, 1, 2].map((i) => markOf(r, 'patterns', i).letter)).toEqual(['A1', 'A2', 'B'])
    expect([letterOf(25), letterOf(26)]).toEqual(['Z', 'AA'])
  })
})

describe('the editor’s marks', () => {
  it('sums the registrations of one line', () => {
    expect(firedMarks('patterns.py', WORKSPACE, fused())).toMatchObject([
      { line: 9, text: '●1', patterns: 2, firedPatterns: 1 },
    ])
  })
  it('puts a Python error on the innermost frame in the file', () => {
    const python = {
      type: 'ValueError',
      message: 'no',
      traceback: '',
      frames: [
        { file: 'patterns.py', line: 2 },
        { file: 'patterns.py', line: 7 },
      ],
    }
    expect(markersOf('patterns.py', WORKSPACE, python, [])).toEqual([{ line: 7, column: 1, message: 'ValueError: no' }])
  })
})

describe('sentences', () => {
  const leaf = (fired: number): TreeNode => ({
    kind: 'leaf',
    label: 'l',
    fired,
    leaves: 1,
    pass: 'p',
    entry: 0,
    children: [],
  })
  const cls = (leaves: TreeNode[]): TreeNode => ({
    kind: 'class',
    label: 'c',
    fired: leaves.reduce((n, l) => n + l.fired, 0),
    leaves: leaves.length,
    pass: 'p',
    children: leaves,
  })
  it('tells what the variants did', () => {
    expect(variantsSentence(cls([leaf(32), ...Array.from({ length: 15 }, () => leaf(0))]))).toBe(
      '16 variants: 1 fired 32 times, 15 did not fire',
    )
    expect(variantsSentence(cls([leaf(0), leaf(0)]))).toBe('2 variants: none fired')
    expect(variantsSentence(leaf(1))).toBe('1 pattern: 1 fired 1 time')
  })
  it('counts matches over passes', () => {
    expect(statusText(fused())).toBe('1 match')
    expect(statusText(report({ passes: [pass({ count: 30 }), pass({ count: 2 })] }))).toBe('32 matches')
  })
  it('explains an empty result', () => {
    expect(explanations(report({ passes: [pass({ entries: [entry(0, 'a')] })] })).map(plainText)).toEqual([
      'No node of the graph came close to any of the 1 pattern in patterns.',
    ])
    expect(
      plainText(explanations(report({ passes: [pass({ applyError: 'AssertionError: extra_check' })] }))[0]!),
    ).toContain('AssertionError')
  })
  it('sums a report up for a link', () => {
    expect(summaryOf(fused())).toEqual({
      nodesBefore: 4,
      nodesAfter: 3,
      passes: [
        {
          name: 'patterns',
          count: 1,
          entries: 3,
          fired: [{ entry: 0, title: 'Fuse', count: 1, letter: 'A1', colour: 0 }],
        },
      ],
      matches: [{ pass: 'patterns', index: 0, entry: 0, node: 'neg', nodes: ['relu', 'neg'] }],
      notes: ['size is 1 in the graph, 2 in the pattern'],
    })
  })
  it('shows a link’s summary as a report: what matched, and how many did not', () => {
    const r = reportOf(summaryOf(fused()))
    expect(statusText(r)).toBe('1 match')
    expect(r.passes[0]!.entries.map((e) => e.fired)).toEqual([1, 0, 0])
    expect([...highlightOf({ kind: 'match', pass: 'patterns', index: 0 }, r, fused().graph, WORKSPACE).before]).toEqual(
      ['relu', 'neg'],
    )
  })
})

describe('the tree under the arrow keys', () => {
  const leaf = (label: string): TreeNode => ({
    kind: 'leaf',
    label,
    fired: 0,
    leaves: 1,
    pass: 'p',
    entry: 0,
    children: [],
  })
  const tree: TreeNode[] = [
    { kind: 'pass', label: 'p', fired: 0, leaves: 2, pass: 'p', children: [leaf('a'), leaf('b')] },
  ]
  it('opens, closes, goes in and out', () => {
    const open = rowsOf(tree, new Map())
    expect(open.map((r) => r.id)).toEqual(['0', '0.0', '0.1'])
    expect(treeKey(open, '0', 'ArrowRight')).toEqual({ go: '0.0' })
    expect(treeKey(open, '0.1', 'ArrowLeft')).toEqual({ go: '0' })
    expect(treeKey(open, '0', 'ArrowLeft')).toEqual({ close: '\np' })
    expect(treeKey(open, '0.1', 'ArrowDown')).toBeNull()
    const closed = rowsOf(tree, new Map([['\np', true]]))
    expect(treeKey(closed, '0', 'ArrowRight')).toEqual({ open: '\np' })
  })
})

describe('two leaves compared', () => {
  it('shows only what differs, lines paired', () => {
    const diff = diffEntries(
      entry(0, 'P', { text: 'a\nb 1\nc', bindings: { k: '128', same: 'x' } }),
      entry(1, 'P', { text: 'a\nb 2\nc\nd', bindings: { k: '64', same: 'x' } }),
    )
    expect(diff.bindings).toEqual([{ name: 'k', left: '128', right: '64' }])
    expect(diff.lines).toEqual([
      { left: 'b 1', right: 'b 2' },
      { left: null, right: 'd' },
    ])
  })
})

describe('what a dropped text is', () => {
  const kind = (text: string): string => sniff(text, 'f').kind
  it('knows the two forms of a graph', () => {
    expect(kind('graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x')).toBe('graph')
    expect(
      kind(
        'class GraphModule(torch.nn.Module):\n    def forward(self, x: "f32[2]"):\n        # File: p.py:1 in f, code: register_replacement(a, b)\n        relu = torch.ops.aten.relu.default(x)',
      ),
    ).toBe('graph')
  })
  it('knows a pattern file, even one with a module in it', () => {
    expect(kind('import torch\nfrom x import PatternMatcherPass\n')).toBe('python')
    expect(kind('class M(torch.nn.Module):\n    def forward(self, x): ...\nregister_replacement(a)')).toBe('python')
    expect(kind('def helper(): pass')).toBe('python')
  })
  it('refuses what is no text, and says why', () => {
    expect(sniff('\u0000\u0001', 'a.pt')).toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining('a.pt is a binary file'),
    })
    expect(kind('  \n')).toBe('unusable')
  })
  it('leaves the rest to the reader, which names the line that is wrong', () => {
    expect(kind('hello')).toBe('graph')
  })
})

describe('search', () => {
  const g = graph(`
    mm_1 aten.mm.default
    x placeholder
    addmm aten.addmm.default
    mm aten.mm.default`)
  it('puts the exact name first, then names, then targets', () => {
    expect(searchNodes(g, '%mm').map((n) => n.name)).toEqual(['mm', 'mm_1', 'addmm'])
    expect(searchNodes(g, 'aten.mm').map((n) => n.name)).toEqual(['mm_1', 'mm'])
    expect(searchNodes(g, ' ')).toEqual([])
  })
})

describe('the small graph of a pattern', () => {
  it('puts users below their inputs and leaves the output out', () => {
    const layout = miniLayout(fused().passes[0]!.entries[0]!.pattern)
    expect(layout.nodes.map((n) => n.y)).toEqual([0, 46, 92])
    expect(layout.edges).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 2 },
    ])
    expect(shortTarget('_C.silu_and_mul.default')).toBe('silu_and_mul')
  })
})
