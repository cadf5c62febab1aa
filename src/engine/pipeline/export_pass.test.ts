/** Passes of ExecuTorch on graphs of its edge dialect: operators that call those of torch.ops, and passes that run node by node. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace/types'
import type { Report } from '../protocol'
import { Session } from '../session/session'

const EDGE = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 4]", y: "f32[2, 4]"):
        aten_add_tensor: "f32[2, 4]" = executorch_exir_dialects_edge__ops_aten_add_Tensor(x, y);  x = y = None
        aten_hardtanh_default: "f32[2, 4]" = executorch_exir_dialects_edge__ops_aten_hardtanh_default(aten_add_tensor, 0, 6)
        aten_sum_dim_int_list: "f32[2]" = executorch_exir_dialects_edge__ops_aten_sum_dim_IntList(aten_hardtanh_default, [1])
        return (aten_sum_dim_int_list,)
`
const PRINTED = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %aten_relu_default : [num_users=1] = call_function[target=executorch.exir.dialects.edge._ops.aten.relu.default](args = (%x,), kwargs = {})
    %quantized : [num_users=1] = call_function[target=mine.undeclared.default](args = (%aten_relu_default, 3), kwargs = {})
    return (quantized,)
`
const HEAD = `import torch
from executorch.exir.dialects._ops import ops as exir_ops
from executorch.exir.dialects.edge._ops import EdgeOpOverload
from executorch.exir.pass_base import ExportPass, PassResult
edge = exir_ops.edge
`
const CLAMP = `class Clamp(ExportPass):
    def call_operator(self, op, args, kwargs, meta):
        if op not in (edge.aten.hardtanh.default, torch.ops.aten.hardtanh.default):
            return super().call_operator(op, args, kwargs, meta)
        assert list(args[0].data.shape) == [2, 4]
        low = super().call_operator(edge.aten.clamp.default, (args[0], args[1], None), {}, meta)
        return super().call_operator(edge.aten.clamp.default, (low, None, args[2]), {}, meta)
`

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

function run(graph: string, text: string): Report {
  const workspace: Workspace = {
    name: 'edge',
    graph: { name: 'graph.txt', text: graph },
    files: [{ name: 'p.py', text: HEAD + text }],
    options: { timeLimitS: 10 },
  }
  const { report } = session.analyze(workspace)
  if (report.python) throw new Error(report.python.traceback)
  return report
}
const nodesOf = (report: Report): string[] => report.after!.nodes.map((n) => `${n.name} ${n.shape ?? ''}`.trim())
const failureOf = (report: Report): string | undefined =>
  report.pipeline!.stages.find((s) => s.did?.error)?.did?.error ?? undefined

describe('ExportPass', () => {
  it('builds a graph of what call_operator calls, with shapes, names and operators of the edge dialect', () => {
    const report = run(EDGE, CLAMP)
    expect(failureOf(report)).toBeUndefined()
    expect(nodesOf(report)).toEqual([
      'x [2, 4]',
      'y [2, 4]',
      'aten_add_tensor [2, 4]',
      'aten_clamp_default [2, 4]',
      'aten_clamp_default_1 [2, 4]',
      'aten_sum_dim_int_list [2]',
      'output',
    ])
    expect(report.after!.nodes[3]!.target).toBe('python:executorch.exir.dialects.edge._ops.aten.clamp.default')
  })

  it('leaves an operator without a shape rule with the value that the graph names', () => {
    const text = `class Nothing(ExportPass):
    pass
`
    const shaped = EDGE.replace('aten_hardtanh_default(', 'mine_widen_default(').replace(
      'hardtanh_default: "f32[2, 4]"',
      'hardtanh_default: "i8[2, 4]"',
    )
    const report = run(shaped, text)
    expect(failureOf(report)).toBeUndefined()
    expect(report.after!.nodes[3]).toMatchObject({ dtype: 'i8', shape: '[2, 4]' })
  })

  it('says which input has no shape, where the text has none', () => {
    expect(failureOf(run(PRINTED, CLAMP))).toMatch(
      /^ExportPassBaseError: Cannot construct an input for graph module: %x has no shape in the graph's text/,
    )
  })

  it('runs over the checks that torch.export writes beside casts, which raise as they do there', () => {
    const checked = (dtype: string) => `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 4]"):
        _assert_tensor_metadata = torch.ops.aten._assert_tensor_metadata.default(x, None, None, ${dtype}, device = device(type='cpu'), layout = torch.strided)
        relu: "f32[2, 4]" = torch.ops.aten.relu.default(x)
        return (relu,)
`
    const text = `class Keep(ExportPass):
    pass
`
    expect(failureOf(run(checked('torch.float32'), text))).toBeUndefined()
    expect(failureOf(run(checked('torch.float64'), text))).toMatch(
      /^AssertionError: Tensor dtype mismatch! Expected: torch.float64, Got: torch.float32/,
    )
  })

  it('needs the constructor of its base', () => {
    const text = `class Own(ExportPass):
    def __init__(self):
        self.mine = 1
`
    expect(failureOf(run(EDGE, text))).toMatch(/ExportPass is not initialized with __init__\(\)\./)
  })
})

describe('ExportedProgramPassBase', () => {
  it('runs by itself, with the program', () => {
    const text = `from executorch.exir.pass_base import ExportedProgramPassBase, ExportedProgramPassResult
class Count(ExportedProgramPassBase):
    def call(self, program):
        print(len(program.graph.nodes))
        return ExportedProgramPassResult(program, False)
`
    const report = run(EDGE, text)
    expect(failureOf(report)).toBeUndefined()
    expect(report.console?.map((c) => c.text.trim())).toEqual(['6'])
  })
})

describe('operators of the edge dialect', () => {
  it('are other objects than those of torch.ops, and call them', () => {
    const text = `def find(gm: torch.fx.GraphModule):
    for node in gm.graph.nodes:
        if node.op != "call_function":
            continue
        assert isinstance(node.target, EdgeOpOverload) and not isinstance(node.target, torch._ops.OpOverload)
        assert node.target != node.target._op and node.target._op == getattr(getattr(torch.ops.aten, node.target._op._opname), node.target._overloadname)
        print(node.name, node.target.__name__, node.target._name, list(node.normalized_arguments(gm, normalize_to_only_use_kwargs=True).kwargs)[:2])
    assert edge.aten.add.Tensor is edge.aten.add.Tensor and edge.aten.add.Tensor in {edge.aten.add.Tensor}
    assert str(edge.aten.add) == "aten.add"
from torch.fx.passes.infra.pass_base import PassBase
class Find(PassBase):
    def call(self, gm):
        find(gm)
        return PassResult(gm, False)
`
    const report = run(EDGE, text)
    expect(failureOf(report)).toBeUndefined()
    expect(report.console?.map((c) => c.text.trim())).toEqual([
      "aten_add_tensor aten.add.Tensor aten::add.Tensor ['input', 'other']",
      "aten_hardtanh_default aten.hardtanh.default aten::hardtanh ['input', 'min_val']",
      "aten_sum_dim_int_list aten.sum.dim_IntList aten::sum.dim_IntList ['input', 'dim']",
    ])
  })
})
