import { describe, expect, it } from 'vitest'
import { withUniqueNames } from './graphs'
import { graphsOf, withGraphs, withGraphShown, workspaceSchema, type GraphFile, type Workspace } from './index'

const graphs: GraphFile[] = [
  { name: 'a.txt', text: 'A', capture: { name: 'a.fusescope', text: '{}', run: 0, key: 'k' } },
  { name: 'b.txt', text: 'B', shapes: { name: 'b.readable.txt', text: 'b' } },
  { name: 'c.txt', text: 'C' },
]
const empty: Workspace = { name: 'w', graph: { name: '', text: '' }, files: [], options: { timeLimitS: 10 } }
const three = withGraphs(empty, graphs, 0)

describe('several graphs', () => {
  it('keep their order, texts, shapes and captures, regardless of the shown one', () => {
    const walked = ['c.txt', 'b.txt', 'a.txt', 'b.txt'].reduce(withGraphShown, three)
    expect(graphsOf(walked)).toEqual(graphs)
    expect(walked).toMatchObject({ graph: { name: 'b.txt', text: 'B' }, shapes: { text: 'b' }, graphAt: 1 })
    expect(withGraphShown(walked, 'a.txt').shapes).toBeUndefined()
    expect([walked.capture, withGraphShown(walked, 'a.txt').capture?.name]).toEqual([undefined, 'a.fusescope'])
    expect(withGraphShown(walked, 'nowhere')).toBe(walked)
  })

  it('are absent for a single graph', () => {
    expect(Object.keys(withGraphs(three, graphs.slice(2), 0)).sort()).toEqual(['files', 'graph', 'name', 'options'])
  })

  it('pass the schema; duplicate names do not', () => {
    const shown = withGraphShown(three, 'b.txt')
    expect(workspaceSchema.parse(shown)).toEqual(shown)
    const twice = { ...three, graphs: [...three.graphs!, { name: 'a.txt', text: '' }] }
    expect(workspaceSchema.safeParse(twice).error?.issues[0]?.message).toBe('has two graphs of one name')
    // An index beyond the last graph means the last.
    expect(graphsOf({ ...three, graphAt: 99 }).map((g) => g.name)).toEqual(['b.txt', 'c.txt', 'a.txt'])
  })
})

describe('names', () => {
  it('are unique among files, graphs and shapes; files and the shown graph keep theirs', () => {
    const w: Workspace = {
      name: 'w',
      files: [{ name: 'a.py', text: 'code' }],
      graph: { name: 'a.py', text: 'graph' },
      shapes: { name: 'a.py', text: 'shapes' },
      graphs: [{ name: 'a_2.py', text: 'other' }],
      options: { timeLimitS: 1 },
    }
    const named = withUniqueNames(w)
    expect([named.graph.name, named.shapes?.name, named.graphs?.[0]?.name]).toEqual(['a_2.py', 'a_3.py', 'a_2_2.py'])
    expect(withUniqueNames(named)).toBe(named)
  })
})
