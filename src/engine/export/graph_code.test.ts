import { describe, expect, it } from 'vitest'
import { read } from '../../fx'
import { graphCode } from './graph_code'

const codeOf = (text: string) => graphCode(read(text, 'graph.txt').graph)

describe('a graph as Python', () => {
  it('has one line per node, with arguments as values and the text’s annotation', () => {
    const { lines, notes } = codeOf(`class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "Sym(s72)", arg1_1: "bf16[s72, 256][256, 1]cuda:0"):
        view: "bf16[2*s72, 128][128, 1]cuda:0" = torch.ops.aten.reshape.default(arg1_1, [-1, 128])
        empty: "f8e4m3fn[s72, 256][256, 1]cuda:0" = torch.ops.aten.empty.memory_format([arg0_1, 256], dtype = torch.float8_e4m3fn, device = device(type='cuda', index=0), pin_memory = False)
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops._C.rms_norm.default, result = empty, input = arg1_1, epsilon = 1e-06)
        getitem: "f8e4m3fn[s72, 256][256, 1]cuda:0" = auto_functionalized[1]
        return (view, getitem)`)
    expect(notes).toEqual([])
    expect(lines).toEqual([
      `arg0_1 = build.placeholder('arg0_1', 'arg0_1', 'Sym(s72)')`,
      `arg1_1 = build.placeholder('arg1_1', 'arg1_1', 'bf16[s72, 256][256, 1]cuda:0')`,
      `view = build.call('view', torch.ops.aten.reshape.default, (arg1_1, [-1, 128]), {}, 'bf16[2*s72, 128][128, 1]cuda:0')`,
      `empty = build.call('empty', torch.ops.aten.empty.memory_format, ([arg0_1, 256],), {'dtype': torch.float8_e4m3fn, 'device': device(type='cuda', index=0), 'pin_memory': False}, 'f8e4m3fn[s72, 256][256, 1]cuda:0')`,
      `auto_functionalized = build.call('auto_functionalized', torch.ops.higher_order.auto_functionalized, (torch.ops._C.rms_norm.default,), {'result': empty, 'input': arg1_1, 'epsilon': 1e-06}, (None, 'f8e4m3fn[s72, 256][256, 1]cuda:0',))`,
      `getitem = build.call('getitem', operator.getitem, (auto_functionalized, 1), {}, 'f8e4m3fn[s72, 256][256, 1]cuda:0')`,
      `return build.output((view, getitem))`,
    ])
  })

  it('renames nodes that would hide a name of the script, and keeps node.meta', () => {
    const { lines } = codeOf(`class <lambda>(torch.nn.Module):
    def forward(self, device: "f32[4]", x: "f32[4]"):
        # stream_label: side # No stacktrace found for following nodes
        add: "f32[4]" = torch.ops.aten.add.Tensor(device, x)
        return (add,)`)
    expect(lines[0]).toBe(`device_ = build.placeholder('device', 'device', 'f32[4]')`)
    expect(lines[2]).toBe(
      `add = build.call('add', torch.ops.aten.add.Tensor, (device_, x), {}, 'f32[4]', stream_label='side')`,
    )
  })

  it('calls functions outside torch by name, and methods and modules by op', () => {
    const { lines } = codeOf(`graph():
    %x : [num_users=2] = placeholder[target=x]
    %fn : [num_users=1] = call_function[target=my_model.layers.fn](args = (%x, floor), kwargs = {})
    %relu : [num_users=1] = call_method[target=relu](args = (%fn,), kwargs = {})
    %linear : [num_users=1] = call_module[target=layers.0](args = (%relu,), kwargs = {})
    return (linear,)`)
    expect(lines.slice(1, 4)).toEqual([
      `fn = build.named('fn', function('my_model.layers.fn'), (x, 'floor'), {}, None)`,
      `relu = build.call('relu', 'relu', (fn,), {}, None, op='call_method')`,
      `linear = build.call('linear', 'layers.0', (relu,), {}, None, op='call_module')`,
    ])
  })
})
