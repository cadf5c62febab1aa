/** Code on an exported program: what its signature says, and errors by name for what a dump lacks. */
import { describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { Session } from '../session/session'
import { start } from '../../python/testing/start'

const py = await start()
const printed = (text: string): string[] => {
  const { console, failure } = py.run(text)
  return [...console.map((c) => c.text.trim()), ...(failure ? [failure.message] : [])]
}

const PROGRAM = `import torch
from torch.export import ExportedProgram, exported_program
from torch.export.graph_signature import ConstantArgument, InputKind, InputSpec, OutputKind, TensorArgument
from torch._export.utils import get_param, is_buffer, is_lifted_tensor_constant, is_param
from _fusescope.pipeline.programs import program_of

def forward(p_fc_weight, b_mean, c_lifted_tensor_0, x):
    return torch.ops.aten.add.Tensor(torch.ops.aten.mm.default(x, p_fc_weight), b_mean)

program = program_of(torch.fx.symbolic_trace(forward))
signature = program.graph_signature
`

describe('an exported program', () => {
  it('tells parameters, buffers and constants by the names of placeholders, and says so', () => {
    const [said, ...rest] = printed(`${PROGRAM}
print([(s.kind.name, s.arg.name, s.target) for s in signature.input_specs])
print(signature.parameters, signature.inputs_to_buffers, signature.user_inputs, signature.user_outputs)
nodes = program.graph.find_nodes(op="placeholder")
print([is_param(program, n) for n in nodes], [is_buffer(program, n) for n in nodes], [is_lifted_tensor_constant(program, n) for n in nodes])
print(isinstance(program, ExportedProgram), exported_program.ExportedProgram is ExportedProgram, program.module() is program.graph_module)
`)
    expect(said).toMatch(
      /^Fusescope takes p_fc_weight, b_mean, c_lifted_tensor_0 for parameters, buffers and constants/,
    )
    expect(rest).toEqual([
      "[('PARAMETER', 'p_fc_weight', 'fc_weight'), ('BUFFER', 'b_mean', 'mean'), ('CONSTANT_TENSOR', 'c_lifted_tensor_0', 'lifted_tensor_0'), ('USER_INPUT', 'x', None)]",
      "('fc_weight',) {'b_mean': 'mean'} ('x',) ('add_tensor',)",
      '[True, False, False, False] [False, True, False, False] [False, False, True, False]',
      'True True True',
    ])
  })

  it('has the signature that the text prints below the graph', async () => {
    const session = new Session(nodeAssets())
    await session.ready
    const graph = `ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[4]", b_s: "f32[4]", x: "f32[4]"):
            add: "f32[4]" = torch.ops.aten.add.Tensor(b_s, 1);  b_s = None
            mul: "f32[4]" = torch.ops.aten.mul.Tensor(x, p_w);  x = p_w = None
            return (add, mul)

Graph signature:
    # inputs
    p_w: PARAMETER target='layer.w'
    b_s: BUFFER target='layer.s' persistent=False
    x: USER_INPUT

    # outputs
    add: BUFFER_MUTATION target='layer.s'
    mul: USER_OUTPUT
`
    const text = `import torch
from _fusescope.pipeline.programs import program_of
from torch.fx.passes.infra.pass_base import PassBase
class Show(PassBase):
    def call(self, gm):
        program = program_of(gm)
        signature = program.graph_signature
        print(signature.inputs_to_parameters, signature.non_persistent_buffers, signature.buffers_to_mutate, signature.user_outputs)
        print(list(program.state_dict), list(program.constants))
`
    const { report } = session.analyze({
      name: 'program',
      graph: { name: 'graph.txt', text: graph },
      files: [{ name: 'p.py', text }],
      options: { timeLimitS: 10 },
    })
    expect(report.console.map((c) => c.text.trim())).toEqual([
      "{'p_w': 'layer.w'} ('layer.s',) {'add': 'layer.s'} ('mul',)",
      "['layer.w'] ['layer.s']",
    ])
  })

  it('follows a rename of an output by its hook', () => {
    expect(
      printed(`${PROGRAM}
out = program.graph.output_node()
signature.get_replace_hook()(out.args[0], "made", out)
print(signature.user_outputs)
`)[1],
    ).toBe("('made',)")
  })
})

describe('what a dump lacks is an error with its name', () => {
  it.each([
    ['torch.export.export(torch.nn.Linear(2, 2), ())', /Fusescope has no torch\.export\.export: open what/],
    ['program.run_decompositions()', /has no ExportedProgram\.run_decompositions/],
    [
      'from torch.fx.experimental.const_fold import split_const_subgraphs\nsplit_const_subgraphs(program.graph_module)',
      /no split_const_subgraphs: it folds constants by their values/,
    ],
    [
      'from torch._inductor.virtualized import V\nassert V.fake_mode is not None\nV.graph.sizevars',
      /no V\.graph: it is of Inductor's lowering/,
    ],
    [
      'from torch.fx.experimental.symbolic_shapes import ShapeEnv\nShapeEnv().create_unbacked_symint()',
      /no ShapeEnv\.create_unbacked_symint/,
    ],
    [
      'from absent.base import ExportPass\nclass P(ExportPass):\n    def call(self, gm): return super().call(gm)\nP().call(1)',
      /^absent\.base\.ExportPass is a stub: its method call is missing here\. Add the file that defines it\.$/,
    ],
    [
      'from absent.memory import *\nMemoryManager()',
      /`from absent\.memory import \*` gives no names, because Fusescope lacks absent\.memory\. Add its file\.$/,
    ],
    [
      'from packaging import version\nfrom absent.utils import torch_version\nversion.parse(torch_version())',
      /<stub absent\.utils\.torch_version\(\)> has no value/,
    ],
    ['import absent\nabsent.__version__', /^absent is a stub: Fusescope lacks it, and knows no __version__ of it/],
    ['program.graph_module = None', /Unable to set ExportedProgram's graph_module/],
  ])('%s', (code, message) => {
    expect(printed(`${PROGRAM}\n${code}`).at(-1)).toMatch(message)
  })
})

it('NormalizeArgs gives calls keywords, and keeps the metadata', () => {
  expect(
    printed(`import torch
from torch.fx.experimental.normalize import NormalizeArgs
gm = torch.fx.symbolic_trace(lambda x: torch.nn.functional.relu(x, False))
next(iter(gm.graph.find_nodes(op="call_function", target=torch.nn.functional.relu))).meta["mark"] = 7
made = NormalizeArgs(gm).transform()
node = next(iter(made.graph.find_nodes(op="call_function", target=torch.nn.functional.relu)))
print(node.args, {k: str(v) for k, v in node.kwargs.items()}, node.meta["mark"])
`),
  ).toEqual(["() {'input': 'x', 'inplace': 'False'} 7"])
})
