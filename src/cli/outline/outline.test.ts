import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { outlineOf, read } from '../../fx'
import { decoder } from '../../fx/outline/testing/model_text'
import { outlineCommand, outlineLines } from './outline'

describe('fusescope outline', () => {
  it('lists groups, their parts and the instances that differ', () => {
    const { graph } = read(decoder({ layers: 4, changes: { 2: 'no-residual' } }), 'graph')
    const lines = outlineLines('graph.txt', graph.size, outlineOf(graph))
    expect(lines[0]).toBe('graph.txt: 253 nodes')
    expect(lines).toContain('  outside: 9 nodes, n0 … n8')
    expect(lines).toContain('  layer × 4: 58 nodes, n9 … n66')
    expect(lines).toContain('    attention × 4, 1 in each: 37 nodes, n9 … n45')
    expect(lines).toContain('    instance 2 has no residual add (aten.add.Tensor)')
  })

  it('fails for a file that is no graph', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'outline-')), 'a.txt')
    writeFileSync(file, 'nothing')
    expect(outlineCommand({ kind: 'outline', graph: file, readable: null, json: true })).toBe(2)
  })
})
