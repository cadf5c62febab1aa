import { expect, it } from 'vitest'
import { dtype, Graph, opRef, sym, tuple, type Arg } from '../../fx'
import { beyondComputing, standingIn } from './computes'

const graph = new Graph()
const x = graph.createNode('placeholder', 'x')
const size = graph.createNode('call_function', 'aten.sym_size.int', [x, 0n])

const reasonOf = (target: string, args: readonly Arg[] = [x], files = ''): string | null => {
  const op = /^\w+$/.test(target) ? 'call_method' : 'call_function'
  return beyondComputing(graph.createNode(op, target, args), standingIn([{ text: files }]))?.why ?? null
}

it.each([
  'aten.add.Tensor aten.add_.Tensor aten.as_strided.default aten.copy_.default aten.sym_size.int aten.empty.memory_format',
  'prims.convert_element_type.default aten._scaled_mm.default aten.bernoulli.p aten.full.default aten.add prims.inductor_seed.default',
  'quantized_decomposed.quantize_per_tensor.default _c10d_functional.all_reduce.default _c10d_functional.wait_tensor.default',
  '_C.rms_norm.default vllm.unified_attention_with_output.default sgl_kernel.rmsnorm.default npu.npu_rms_norm.default',
  'torch.relu torch.tensor torch.nn.functional.linear operator.add operator.getitem math.sqrt relu add_ to size float',
])('lets pass %s', (targets) => {
  expect(targets.split(' ').filter((t) => reasonOf(t) !== null)).toEqual([])
})

it.each([
  // Files, text, storage, memory without bounds, code, other operators, other objects.
  'aten.from_file.default aten.from_file torch.from_file image.write_file.default image.write_file from_file save numpy',
  'aten._print.default higher_order.print aten.warn.default',
  'inductor.resize_storage_bytes_.default aten.resize_.default aten.set_.source_Tensor aten.record_stream.default share_memory_',
  'inductor._reinterpret_tensor.default inductor._alloc_from_pool.default aten._reshape_alias.default _reshape_alias as_strided_',
  'aten.max_pool2d_with_indices_backward.default torch.sparse_csr_tensor torch.as_strided_',
  'higher_order.inline_asm_elementwise higher_order.cond higher_order.with_effects higher_order.call_torchbind apply_ map_',
  '_C_custom_ar.register_buffer.default mylib.foo.default mylib.foo __reduce_ex__ __getattribute__ module_load register_hook',
])('refuses %s', (targets) => {
  expect(targets.split(' ').filter((t) => reasonOf(t) === null)).toEqual([])
})

it('looks into calls of other operators', () => {
  const wrapped = (name: string, files?: string): string | null =>
    reasonOf('higher_order.auto_functionalized_v2', [opRef(name), x], files)
  expect(wrapped('_C.rms_norm.default')).toBeNull()
  expect(wrapped('image.write_file.default')).toMatch(/not known/)
  expect(wrapped('mylib.foo.default', 'torch.ops.mylib.foo')).toBeNull()
  const effects = [null, opRef('image.write_file.default'), x]
  expect(reasonOf('higher_order.with_effects', effects, 'higher_order.with_effects')).toMatch(/not known/)
  expect(reasonOf('higher_order.print', ['::add-mask::a'], 'print(x)')).toMatch(/other operators or code/)
})

it('looks into calls of functions and methods, which may call an argument', () => {
  const dispose = opRef('_C_custom_ar.dispose.default')
  const calls = [
    graph.createNode('call_function', 'builtins.max', [tuple([0x41414141n, 7n])], new Map([['key', dispose]])),
    graph.createNode('call_function', 'builtins.min', [x, tuple([dispose])]),
    graph.createNode('call_method', 'sort', [x], new Map([['key', dispose]])),
    graph.createNode('call_function', 'aten.add', [x, dispose]),
  ]
  for (const call of calls) expect(beyondComputing(call, () => false)?.operator).toBe('_C_custom_ar.dispose.default')
  expect(reasonOf('builtins.max', [x, 2n])).toBeNull()
})

it('lets pass what the user’s files name, but for paths and addresses', () => {
  const files = 'ops = torch.ops.mylib\nops.run(x)'
  expect(reasonOf('mylib.run.default', [x, 8n, 'tp:0'], files)).toBeNull()
  expect(reasonOf('other.run.default', [x], files)).toMatch(/not known/)
  expect(reasonOf('mylib.run.default', [x, tuple(['/home/x'])], files)).toMatch(/path/)
  expect(reasonOf('mylib.run.default', [8n], files)).toMatch(/address/)
  expect(reasonOf('mylib.run.default', [x, 2n ** 40n], files)).toMatch(/address/)
  // Debian's Python lies at 4 MiB, and arithmetic of the graph leads anywhere.
  expect(reasonOf('mylib.run.default', [x, 0xa5b000n], files)).toMatch(/address/)
  expect(reasonOf('mylib.run.default', [x, 151_936n, size], files)).toBeNull()
  const product = graph.createNode('call_function', 'operator.mul', [size, 0x10001n])
  expect(reasonOf('mylib.run.default', [x, product], files)).toMatch(/address/)
})

const WRITTEN =
  'floor gelu none float8_e4m3fn torch.bfloat16 fp8_e5m2 cuda:0 tp:0 12 BSND nearest-exact ij,jk->ik ...ij->...ji'.split(
    ' ',
  )

it.each(['', ...WRITTEN, 'b s -> s b', 'b (h d) s2 -> (b h) s2 d', '... c -> ... c 1'])(
  'gives %s to any operator',
  (text) => {
    expect(reasonOf('mylib.run.default', [x, text], 'mylib.run')).toBeNull()
  },
)

const NAMES =
  'conftest.py makefile Makefile BUILD .npmrc ~ https: data:text a:b libfoo.so os.system exec id_rsa f(x) $HOME `a` x->y.py;a'
it.each([
  ...NAMES.split(' '),
  'touch a',
  'rm x -> y',
  'a > b',
  'import os',
  'a\nb',
  'a'.repeat(60) + '->' + 'a'.repeat(60),
])('gives %s to none of which only the name is known', (text) => {
  expect(reasonOf('mylib.run.default', [x, text], 'mylib.run')).toMatch(/path/)
  expect(reasonOf('vllm.unified_attention_with_output.default', [x, x, x, x, text.replaceAll(/[\\/]/g, '')])).toBeNull()
})

it('gives layers their names', () => {
  const layer = 'model.layers.0.self_attn.attn'
  expect(reasonOf('vllm.unified_attention_with_output.default', [x, x, x, x, layer])).toBeNull()
})

it('takes a number for an address where an operator of a library gets it', () => {
  expect(reasonOf('sgl_kernel.all_reduce.default', [0x414141n, x, x, 0n, 0n])).toMatch(/address/)
  expect(reasonOf('sgl_kernel.all_reduce.default', [size, x, x, 0n, 0n])).toMatch(/address/)
  expect(reasonOf('aten.full.default', [[2n ** 40n], 0])).toBeNull()
  // Without metadata, and with any.
  const shape = graph.createNode('call_function', 'torch.broadcast_shapes', [[2n ** 40n]])
  const made = [
    graph.createNode('call_function', 'operator.getitem', [shape, 0n]),
    graph.createNode('call_function', 'aten._local_scalar_dense.default', [x]),
    graph.createNode('call_method', 'storage_offset', [x]),
  ]
  for (const number of [...made, sym('1099511627776*s0'), sym('s0**9')])
    expect(reasonOf('sgl_kernel.all_reduce.default', [number, x, x, 0n, 0n])).toMatch(/address/)
  const named = new Map<string, Arg>([...Object.entries({ fa: made[0]!, inp: x, out: x })])
  const wrapped = [opRef('sgl_kernel.all_reduce.default')]
  const call = graph.createNode('call_function', 'higher_order.auto_functionalized', wrapped, named)
  expect(beyondComputing(call, () => false)?.why).toMatch(/address/)
  expect(reasonOf('sgl_kernel.all_reduce.default', [x, x, x, 0n, sym('s0')])).toBeNull()
})

it('takes no number for a dtype, a layout or a memory format', () => {
  const call = (target: string, args: readonly Arg[], named: Record<string, Arg>): string | null =>
    beyondComputing(graph.createNode('call_function', target, args, new Map(Object.entries(named))), () => true)?.why ??
    null
  expect(call('aten.clone.default', [x], { memory_format: -1n })).toMatch(/gets a number in the place of a dtype/)
  expect(call('aten.sum.default', [x], { dtype: 200n })).toMatch(/number/)
  expect(call('aten.to.dtype', [x, size], {})).toMatch(/number/)
  const wrapped = [opRef('aten.sum.default')]
  expect(call('higher_order.auto_functionalized', wrapped, { self: x, dtype: 200n })).toMatch(/number/)
  expect(call('aten.sum.default', [x], { dtype: dtype('float64') })).toBeNull()
  expect(call('aten.sum.dim_IntList', [x, [1n], true], {})).toBeNull()
})
