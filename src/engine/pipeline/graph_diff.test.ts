import { describe, expect, it } from 'vitest'
import { read } from '../../fx'
import { diffGraphs, differenceText } from './graph_diff'
import type { GraphView } from '../protocol'
import { viewOf } from '../report/views'

const view = (lines: string): GraphView =>
  viewOf(read(`graph():\n${lines.trim().replace(/^\s*/gm, '    ')}\n`, 'g').graph)

const quant = (group: number, scale: string, q = 'quant') => `
%x : [num_users=1] = placeholder[target=x]
%empty : [num_users=1] = call_function[target=torch.ops.aten.empty.memory_format](args = ([4, 2],), kwargs = {})
${scale}
%${q} : [num_users=1] = call_function[target=torch.ops._C.quant.default](args = (%x, 1), kwargs = {scale: %s, group_size: ${group}})
return ${q}`
const plain = '%s : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%empty,), kwargs = {})'
const turned = `%p : [num_users=1] = call_function[target=torch.ops.aten.permute.default](args = (%empty, [1, 0]), kwargs = {})
%s : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%p,), kwargs = {})`

describe('two graphs', () => {
  it('are equal regardless of node names', () => {
    expect(diffGraphs(view(quant(128, plain)), view(quant(128, plain, 'other')))).toEqual([])
  })
  it('differ in a constant, which is named', () => {
    const found = diffGraphs(view(quant(128, plain)), view(quant(64, plain)))
    expect(found.map(differenceText)).toEqual(['group_size = 128 ↔ 64 in quant'])
  })
  it('differ in a node and in its users', () => {
    const found = diffGraphs(view(quant(128, plain)), view(quant(128, turned)))
    expect(found.map(differenceText)).toEqual(['permute only in the second', 'argument 0 = %empty ↔ %p in relu'])
  })
})
