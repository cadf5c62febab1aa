import { expect, it } from 'vitest'
import { fxToPattern, INITIAL_IGNORE_TYPES } from './fx_to_pattern'
import { PatternPrettyPrinter } from './pretty_printer'
import { graph } from './testing/fixtures'

const TRACED = `
  %x_1 = placeholder[target=x_1]
  %s_1 = placeholder[target=s_1]
  %empty = call_function[target=torch.ops.aten.empty.memory_format](args = ([4, 8],), kwargs = {dtype: torch.bfloat16, layout: torch.strided, device: cpu, pin_memory: False})
  %af = call_function[target=torch.ops.higher_order.auto_functionalized](args = (_C.quant.default,), kwargs = {result: %empty, input: %x_1, scale: None, group_size: 128, ue8m0: True})
  %getitem = call_function[target=operator.getitem](args = (%af, 1), kwargs = {})
  %add = call_function[target=torch.ops.aten.add.Tensor](args = (%getitem, 1e-06), kwargs = {})
  %cat = call_function[target=torch.ops.aten.cat.default](args = ([%add, %s_1], 1), kwargs = {})
  return cat`

it('M8 M9: wildcards int, float, list, device and dtype by exact type in the initial pattern, and no index', () => {
  const options = { ignoreTypes: INITIAL_IGNORE_TYPES, argNames: ['x', 's'] }
  expect(PatternPrettyPrinter.run(fxToPattern(graph(TRACED), options))).toBe(
    `output = CallFunction(aten.cat.default, [CallFunction(aten.add.Tensor, CallFunction(operator.getitem, CallFunction(auto_functionalized, <OpOverload(op='_C.quant', overload='default')>, result=CallFunction(aten.empty.memory_format, *, dtype=*, layout=torch.strided, device=*, pin_memory=False), input=KeywordArg('x'), scale=None, group_size=*, ue8m0=True), 1), *), KeywordArg('s')], Ignored(), _users=0)`,
  )
})

it('M10 M12: keeps every constant in the specific pattern, and numbers equal names', () => {
  const two = graph(`
    %x_1 = placeholder[target=x_1]
    %add = call_function[target=torch.ops.aten.add.Tensor](args = (%x_1, 1), kwargs = {})
    %add_1 = call_function[target=torch.ops.aten.add.Tensor](args = (%add, 2.0), kwargs = {})
    %view = call_function[target=torch.ops.aten.view.default](args = (%add_1, [-1]), kwargs = {})
    return (view, add)`)
  expect(PatternPrettyPrinter.run(fxToPattern(two, { argNames: ['x'] }))).toBe(
    `add_Tensor = CallFunction(aten.add.Tensor, KeywordArg('x'), 1, _users=2)
add_Tensor_1 = CallFunction(aten.add.Tensor, add_Tensor, 2.0)
view_default = CallFunction(aten.view.default, add_Tensor_1, [-1])
output = MultiOutputPattern([view_default,
  add_Tensor
])`,
  )
})

it('M11: treats scalar_workaround values as arguments, and True as 1', () => {
  const g = graph(`
    %x_1 = placeholder[target=x_1]
    %n_1 = placeholder[target=n_1]
    %clamp = call_function[target=torch.ops.aten.clamp.default](args = (%x_1, True, 1), kwargs = {})
    return clamp`)
  const options = { ignoreTypes: INITIAL_IGNORE_TYPES, argNames: ['x', 'n'], scalarWorkaround: new Map([['n', 1n]]) }
  expect(PatternPrettyPrinter.run(fxToPattern(g, options))).toBe(
    "output = CallFunction(aten.clamp.default, KeywordArg('x'), KeywordArg('n'), KeywordArg('n'), _users=0)",
  )
})

it('M3: refuses a first output that is an argument and an output that is not a tensor, like PyTorch', () => {
  const outputs = (value: string) =>
    graph(`%x_1 = placeholder[target=x_1]
      %neg = call_function[target=torch.ops.aten.neg.default](args = (%x_1,), kwargs = {})
      return ${value}`)
  expect(() => fxToPattern(outputs('(x_1, neg)'), { argNames: ['x'] })).toThrow(
    "expected _TargetExpr, got <class 'torch._inductor.pattern_matcher.KeywordArg'>",
  )
  expect(() => fxToPattern(outputs('(neg, None)'), { argNames: ['x'] })).toThrow(
    "'NoneType' object has no attribute 'users'",
  )
  expect(() => PatternPrettyPrinter.run(fxToPattern(outputs('x_1'), { argNames: ['x'] }))).toThrow(
    'obj has no pretty_print method',
  )
})
