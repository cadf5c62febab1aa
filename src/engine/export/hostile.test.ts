/** Text of graphs, captures and names in exports: it stays data (docs/security.md). What the files may hold: scripts/security. */
import { describe, expect, it } from 'vitest'
import { read } from '../../fx'
import { isSize } from '../../fx/code/sizes'
import { targetCode } from '../../fx/code/targets'
import { createTracer, type Tracer } from '../../trace'
import { argOf } from '../capture/graphs'
import { graphCode } from './graph_code'
import { patternCode } from './pattern_code'
import { patternSource } from './patterns'
import { textLiteral } from './python_text'
import { head, MAIN_OR_TESTS } from './script'

const EVIL = `__import__('os').system('touch PWNED')`
const codeOf = (text: string, tracer?: Tracer) => graphCode(read(text, 'graph.txt').graph, undefined, tracer)

describe('a hostile graph as Python', () => {
  it('has no function outside the table: it is neither imported nor called', () => {
    const { lines } = codeOf(`graph():
    %x : [num_users=1] = placeholder[target=x]
    %a : [num_users=0] = call_function[target=os.system](args = (touch PWNED,), kwargs = {})
    %b : [num_users=0] = call_function[target=torch.serialization.os.system](args = (touch PWNED,), kwargs = {})
    %c : [num_users=0] = call_function[target=math.sin if open('PWNED','w') else 1](args = (%x,), kwargs = {})
    %d : [num_users=0] = call_function[target=builtins.exec](args = (1,), kwargs = {})
    return (x,)`)
    expect(lines.slice(1, 5)).toEqual([
      `a = build.named('a', function('os.system'), ('touch PWNED',), {}, None)`,
      `b = build.named('b', function('torch.serialization.os.system'), ('touch PWNED',), {}, None)`,
      `c = build.named('c', function("math.sin if open('PWNED','w') else 1"), (x,), {}, None)`,
      `d = build.named('d', function('builtins.exec'), (1,), {}, None)`,
    ])
  })

  it('computes no operator, function or method without a rule, and says what it lacks', () => {
    const { lines, notes } = codeOf(`class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[s0, 4]"):
        a = torch.ops.aten._stack.default([], 0)
        b = torch.quantized_lstm_cell(x, [x], x, x, x, x, x, x, x, x, 1.0, 1.0, 0, 0)
        c: "f32[s0, 4]" = torch.ops.aten.squeeze_.dim(x, 1)
        d: "f32[4]" = torch.ops.higher_order.auto_functionalized(torch.ops.aten._stack.default, self = x)
        e: "f32[4]" = torch.ops.aten.relu.default(x)
        return (a, b, c, d, e)`)
    expect(lines.slice(1, -1).map((line) => /build\.(\w+)/.exec(line)![1])).toEqual([
      ...Array.from({ length: 4 }, () => 'named'),
      'call',
    ])
    expect(notes).toEqual([
      'The text has no metadata for torch.ops.aten._stack.default, torch.quantized_lstm_cell, and no shape rule computes it, so the graph has none for them.',
    ])
  })

  it('computes no call that the rule refuses: PyTorch’s kernels look at less', () => {
    const { lines, notes } = codeOf(
      `class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[s0]", y: "f32[s0, 4]"):
        a = torch.ops.aten.pixel_shuffle.default(x, 2)
        b: "f32[s0]" = torch.ops.aten.batch_norm.default(x, None, None, None, None, True, 0.1, 1e-05, False)
        c: "f32[4, 4]" = torch.ops.aten.mm.default(x, y)
        d = torch.ops.aten.mm.default(a, y)
        e = torch.ops.aten.relu.default(y)
        f = torch.ops.aten.permute.default(e, [1, 0])
        g = torch.ops.aten.permute.default(f, [1, 1])
        h = torch.ops._C.rms_norm.default(y, y, x, 1e-06)
        return (a, b, c, d, e, f, g, h)`,
      createTracer(),
    )
    expect(lines.slice(2, -1).map((line) => /^(\w+) = build\.(\w+)/.exec(line)!.slice(1).join(' '))).toEqual([
      ...['a refused', 'b refused', 'c refused', 'd call', 'e call', 'f call', 'g refused', 'h call'],
    ])
    expect(notes[0]).toContain('The text has no metadata for torch.ops.aten.pixel_shuffle.default, ')
  })

  it('commands no runner of a workflow, whose log has the lines of a traceback', () => {
    const { lines } = codeOf(`class <lambda>(torch.nn.Module):
    def forward(self, x):
        a = torch.ops.aten.lacks.default(x, '##vso[task.uploadfile]/etc/passwd')
        return (a,)`)
    expect(lines[1]).toContain(String.raw`(x, '#\x23vso[task.uploadfile]/etc/passwd')`)
    expect(MAIN_OR_TESTS.script).toContain('print(json_text(counts))')
    expect(MAIN_OR_TESTS.pytest).toContain('ids=[visible(name) for name in GRAPHS]')
    const named = head(
      { workspace: { name: '##vso[task.x]' } as never, notes: ['a ##[group]'], code: '' },
      'script',
      'x',
    )
    expect(named).not.toMatch(/##\w*\[/)
    expect(textLiteral('# ##vso[task.uploadfile]x\n')).toBe(String.raw`(
    '# #\x23vso[task.uploadfile]x\n'
)`)
  })

  it('has no metadata that are no sizes, and no text that begins like code of ours', () => {
    const { lines, notes } = codeOf(`class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[${EVIL.replaceAll("'", '')}, 4]", arg1_1: "Sym(open(0))"):
        relu: "f32[4]" = torch.ops.aten.relu.default(arg0_1)
        add = torch.ops.aten.add.Tensor(relu, build.__class__.__init__("x"))
        return (relu, add)`)
    expect(lines[0]).toBe(`arg0_1 = build.placeholder('arg0_1', 'arg0_1', None)`)
    expect(lines[1]).toBe(`arg1_1 = build.placeholder('arg1_1', 'arg1_1', None)`)
    expect(lines[3]).toBe(
      `add = build.call('add', torch.ops.aten.add.Tensor, (relu, 'build.__class__.__init__("x")'), {}, None)`,
    )
    expect(notes).toEqual([
      'The export leaves out the metadata of arg0_1, which is not a dtype, sizes and a device.',
      'The export leaves out the metadata of arg1_1, which is not a dtype, sizes and a device.',
    ])
  })

  it('has names that torch.fx can put into the code that it runs', () => {
    const { lines, notes } = codeOf(`graph():
    %x : [num_users=1] = placeholder[target=x=${EVIL}]
    %y : [num_users=1] = call_method[target=relu)(${EVIL}](args = (%x,), kwargs = {})
    %y_1 : [num_users=1] = get_attr[target=a"]${EVIL}]
    return (y,)`)
    for (const line of lines) expect(line).not.toContain('(__import__')
    expect(lines[0]).toMatch(/^x = build\.placeholder\('x', 'x___import__\w+', None\)$/)
    expect(notes.some((n) => n.includes('it is not a name in Python'))).toBe(true)
  })

  it('has one variable per node, and none of a name that the script uses', () => {
    const { lines } = codeOf(`graph():
    %torch : [num_users=1] = placeholder[target=torch]
    %function : [num_users=1] = placeholder[target=function]
    %__debug__ : [num_users=1] = placeholder[target=y]
    %getattr : [num_users=1] = call_function[target=torch.ops.aten.__and__.Tensor](args = (%torch, %function), kwargs = {})
    return (getattr,)`)
    expect(lines.map((l) => l.split(' = ')[0])).toEqual([
      'torch_',
      'function_',
      'n__debug__',
      'getattr_',
      'return build.output((getattr_,))',
    ])
  })
})

describe('a hostile capture as Python', () => {
  const call = (over: object) =>
    patternCode({
      expr: 'CallFunction',
      id: 0,
      fns: ['aten.relu.default'],
      args: [],
      kwargs: [],
      users: 1,
      ...over,
    } as never)

  it.each([
    ['a class', { expr: `print(${EVIL}) or CallFunction` }],
    ['an id', { id: `0 = ${EVIL}; p0` }],
    ['a keyword', { kwargs: [[`a=0)\n    ${EVIL}`, { value: 1 }]] }],
    ['a keyword twice', { kwargs: [['a', { value: 1 }], ['a', { value: 2 }]] }], // prettier-ignore
    ['a reference to nothing', { args: [{ pattern: { expr: 'ref', id: 7 } }] }],
    ['a dtype', { args: [{ value: { dt: `float32, ${EVIL}` } }] }],
    ['a memory format', { args: [{ value: { mf: `contiguous_format, ${EVIL}` } }] }],
    ['a symbol', { args: [{ value: { s: EVIL } }] }],
  ])('%s that is none makes no pattern, or a string', (_, over) => {
    const lines = call(over)
    if (lines !== null) expect(lines.join('\n')).toContain(JSON.stringify(EVIL))
  })

  it('targets, texts and numbers are data', () => {
    const lines = call({ fns: ['aten.relu.default', `math.pi if ${EVIL} else 1`], args: [{ value: { text: `build.x, ${EVIL}` } }, { value: { f: EVIL } }] }) // prettier-ignore
    expect(lines).toEqual([
      `p0 = CallFunction([torch.ops.aten.relu.default, function(${JSON.stringify(`math.pi if ${EVIL} else 1`)})], ${JSON.stringify(`build.x, ${EVIL}`)}, ${JSON.stringify(EVIL)})`,
      'return p0',
    ])
    expect(argOf({ i: 'abc' }, new Map())).toEqual({ kind: 'opaque', text: '{"i":"abc"}' })
  })

  it.each([
    `output = CallFunction(aten.relu.default, KeywordArg('x'))\n${EVIL}\noutput = 2`,
    `output = CallFunction(aten.relu.default, ${EVIL})`,
    'output = CallFunction(os.system, 1)',
    `output =\nCallFunction(aten.relu.default, KeywordArg('x'))`,
    `output = CallFunction\n(aten.relu.default, KeywordArg('x'))`,
    'output = -\ninf',
    'output = Own(aten.relu.default)',
    'output = CallFunction(aten.relu.default, (lambda: 1)())',
    'output = CallFunction(aten.relu.default, x.y)',
    `torch = CallFunction(aten.relu.default)`,
    `output = CallFunction(aten.relu.default, f'{1}')`,
    `output = CallFunction(aten.relu.default, KeywordArg('a\u2028b'))`,
    `output = CallFunction(aten.relu.default)\r${EVIL}`,
    `output = CallFunction(aten.relu.default)  # ${EVIL}`,
  ])('a printed pattern that is more than classes, names and literals is none: %s', (text) => {
    expect(patternSource(text)).toBeNull()
  })

  it('a printed pattern is kept', () => {
    const text = `mul_Tensor = CallFunction(aten.mul.Tensor, KeywordArg('x'), Ignored(), _users=2)
output = MultiOutputPattern([mul_Tensor,
  CallFunction(torch.ops.prims.convert_element_type.default, mul_Tensor, torch.float16, -1.5e-06, [1, -2], slice(None, 3, None))
])`
    expect(patternSource(text)).toBe(text)
    expect(patternSource(`${text}\r\u2028\f`)).toBe(text)
  })
})

describe('texts', () => {
  it('of names cannot end a docstring', () => {
    const name = `x"""\n${EVIL}\n"""\\\u2028\u202e'''`
    const text = head({ workspace: { name } as never, notes: [name], code: '' }, 'script', 'x.py')
    expect(text.match(/"""/g)).toHaveLength(2)
    expect(text).not.toMatch(/\\|\u2028|\u202e|^__import__/m)
  })

  it('of files are raw only if every character of them shows', () => {
    expect(textLiteral('x = 1\n')).toBe(`r'''x = 1\n'''`)
    for (const text of ['a\0b', 'a\u202eb', 'a\u2028b', 'a\fb', 'a\ud800b', 'a\rb', `a'''b`, `a'`, 'a\\'])
      expect(textLiteral(text)).toMatch(/^\(\n {4}['"][ -~]*['"]\n\)$/)
  })

  it('of sizes are sums and products of symbols and ints', () => {
    for (const text of ['s72', '2*s72 + 1', '(s72//2)', 's70**2', 'Max(1, u0)', '-s0', 'Mod(s0, 8) - 1'])
      expect([text, isSize(text)]).toEqual([text, true])
    for (const text of [
      '',
      's0*exit()',
      'exit()',
      's0\n',
      's0 if 1 else 2',
      's0.x',
      '9**999',
      '[s0]',
      's0;s1',
      '('.repeat(400),
      's0 s1',
      'Max',
      'x',
      's٣',
      'exit(1)*0',
      'x*0 + s0',
      '0.5*s0',
    ])
      expect([text, isSize(text)]).toEqual([text, false])
  })

  it('of targets are operators and functions of the table', () => {
    expect(targetCode('aten.add.Tensor')).toBe('torch.ops.aten.add.Tensor')
    expect(targetCode('aten.random.from')).toBe(`getattr(torch.ops.aten.random, 'from')`)
    expect(targetCode('torch._C._nn.linear')).toBe('torch._C._nn.linear')
    expect(targetCode('operator.getitem')).toBe('operator.getitem')
    for (const target of [
      'load_library.x.y',
      'aten.__class__.x',
      'a.b.__init__',
      'aten.add.Tensor.x',
      'aten',
      'torch.load',
      'torch.from_file',
      'torch.os.system',
      'operator.attrgetter',
      'builtins.eval',
      'python:os.system',
      'math.pi if 1 else 2',
      'aten.add.x\ny',
    ])
      expect([target, targetCode(target)]).toEqual([target, null])
  })
})
