/** Writes a form of a pattern as a Python file that runs as it is. */
import type { Node } from '../../fx'
import { proseText } from '../../fx/code/code'
import { expressionCodeOf } from './expression_code'
import { functionCodeOf, type FunctionCode } from './function_code'
import type { Form } from './forms'
import type { OperatorResult } from './operator_code'
import { signatureOf } from './operator_code'
import { emptyValue } from './example_inputs'
import type { Condition } from './overlaps'
import { quoted } from './python_args'
import { isUncalled } from './selection'
import type { PatternConstant, SelectedNodes } from './types'

export interface FileParts {
  name: string
  /** Name of the graph, for the docstring. */
  graph: string
  selection: SelectedNodes
  form: Form
  results: readonly OperatorResult[]
  parameters: readonly PatternConstant[]
  examples: readonly string[] | null
  /** `declare(…)` calls for operators that PyTorch lacks. */
  declarations: readonly string[]
  /** Names of inputs that the operator writes to. */
  mutated: readonly string[]
  /** The further condition that each match must satisfy. */
  condition: Condition | null
}

/** Null if the form cannot express the selection, because a symbolic size is in no shape. */
export function patternFile(parts: FileParts): string | null {
  const { form, selection, parameters } = parts
  const { outputs } = form
  const sizesFromShapes = form.kind === 'traced'
  const search = functionCodeOf(selection, { outputs, parameters, sizesFromShapes })
  if (!search) return null
  const body = [
    docstring(parts),
    imports(parts, search),
    `patterns = PatternMatcherPass(pass_name=${quoted(parts.name)})`,
    ...declarations(parts),
    ...(isUncalled(selection)
      ? []
      : [functionText('pattern', search.parameters, [...search.lines, `return ${listOf(search.results)}`])]),
    operator(parts, search),
    ...(form.kind === 'graph' ? handler(parts, search) : registration(parts, search)),
  ]
  return `${body.join('\n\n\n').replace(/"""\n\n\n/, '"""\n\n')}\n`
}

const listOf = (items: readonly string[]): string => items.join(', ')

const functionText = (name: string, parameters: readonly string[], lines: readonly string[]): string =>
  `def ${name}(${parameters.join(', ')}):\n${lines.map((l) => `    ${l}`).join('\n')}`

function docstring({ name, graph, selection }: FileParts): string {
  const nodes = selection.nodes.map((n) => proseText(n.name, 100))
  const wrapped = wrap(`${proseText(graph)}: ${nodes.join(', ')}`)
  return `"""Replaces a selection by torch.ops.fused.${name}.\n\n${wrapped}\n"""`
}

const wrap = (text: string): string => text.replace(/(.{1,100})(?:\s|$)/g, '$1\n').trimEnd()

function imports({ form, selection }: FileParts, search: FunctionCode): string {
  const text = search.lines.join('\n')
  const classes = form.kind === 'traced' ? [] : expressionCodeOf(selection, form, []).classes
  const registers = form.kind === 'graph' ? ['register_graph_pattern'] : ['fwd_only', 'register_replacement']
  const names = [...new Set([...classes, 'PatternMatcherPass', ...registers])]
  const wrapped = [
    ...new Set(selection.nodes.flatMap((n) => /^higher_order\.(auto_functionalized\w*)$/.exec(n.target)?.[1] ?? [])),
  ]
  const needsOperator = /\boperator\./.test(text) || form.kind !== 'traced'
  return [
    ...(/\bbuiltins\./.test(text) ? ['import builtins'] : []),
    ...(/\bmath\./.test(text) ? ['import math'] : []),
    ...(needsOperator ? ['import operator'] : []),
    ...(needsOperator || /\b(?:builtins|math)\./.test(text) ? [''] : []),
    'import torch',
    ...(wrapped.length > 0 ? [`from torch._higher_order_ops.auto_functionalize import ${wrapped.join(', ')}`] : []),
    ...(form.kind === 'traced' && form.reshape
      ? ['from torch._inductor.fx_passes.post_grad import view_to_reshape']
      : []),
    `from torch._inductor.pattern_matcher import ${importList(names)}`,
    ...(form.kind === 'graph' ? [] : ['from torch._subclasses.fake_tensor import FakeTensorMode']),
  ].join('\n')
}

function importList(names: readonly string[]): string {
  const line = names.join(', ')
  return line.length < 70 ? line : `(\n${names.map((n) => `    ${n},`).join('\n')}\n)`
}

const DECLARE = `libraries = []


def declare(schema, fake=None):
    """Declares an operator, unless this process has it."""
    namespace, rest = schema.split("::", 1)
    name = rest[: rest.index("(")]
    packet, _, overload = name.partition(".")
    known = getattr(getattr(torch.ops, namespace), packet, None)
    if known is not None and (overload or "default") in known.overloads():
        return
    libraries.append(torch.library.Library(namespace, "FRAGMENT"))
    libraries[-1].define(rest)
    if fake is not None:
        torch.library.register_fake(f"{namespace}::{name}", fake, lib=libraries[-1])`

const declarations = ({ declarations: lines }: FileParts): string[] =>
  lines.length === 0 ? [] : [DECLARE, lines.join('\n')]

/** The operator computes the selection, so that the file runs; the real kernel replaces the body. */
function operator(parts: FileParts, search: FunctionCode): string {
  const { name, selection, parameters, results, form, mutated } = parts
  const code = functionCodeOf(selection, {
    outputs: form.outputs,
    parameters,
    sizesFromShapes: form.kind === 'traced',
  })!
  const types = results.map((r) => r.type)
  const returned = types.length === 1 && results[0]!.item === null ? types[0]! : `tuple[${types.join(', ')}]`
  const compute = [...(isUncalled(selection) ? emptyResults(results) : computed(results, code)), '']
  const signature = definition(name, signatureOf(selection, parameters, code), returned)
  const written = mutated.length === 0 ? '()' : `{${mutated.map(quoted).join(', ')}}`
  return `@torch.library.custom_op("fused::${name}", mutates_args=${written})
${signature}
    """Call the fused kernel here."""
${compute.join('\n')}

@${name}.register_fake
def _(${search.parameters.join(', ')}):
${compute.join('\n').trimEnd()}`
}

/** The first line of a function, with one line per parameter if it is long. */
function definition(name: string, parameters: readonly string[], returned: string): string {
  const line = `def ${name}(${parameters.join(', ')}) -> ${returned}:`
  return line.length <= MAX_LINE
    ? line
    : `def ${name}(\n${parameters.map((p) => `    ${p},`).join('\n')}\n) -> ${returned}:`
}

const MAX_LINE = 110

/** For calls that the file never makes, the operator receives only the metadata. */
function emptyResults(results: readonly OperatorResult[]): string[] {
  const values = results.map(({ output, item }) => emptyValue(output.meta.val, item))
  const single = results.length === 1 && results[0]!.item === null
  return [`    return ${single ? values[0]! : `(${values.join(', ')}${values.length === 1 ? ',' : ''})`}`]
}

/** Calls `pattern` and flattens nodes with several values; views are copied, because an operator must not return an input. */
function computed(results: readonly OperatorResult[], { parameters }: FunctionCode): string[] {
  const call = `pattern(${parameters.join(', ')})`
  const plain = results.every((r) => r.item === null && !r.alias)
  if (plain) return [`    return ${call}`]
  const outputs = [...new Set(results.map((r) => r.output))]
  const names = outputs.map((_, i) => `out${i}`)
  const values = results.map(({ output, item, alias, type }) => {
    const value = `${names[outputs.indexOf(output)]!}${item === null ? '' : `[${item}]`}`
    return alias && type === 'torch.Tensor' ? `${value}.clone()` : value
  })
  const single = results.length === 1 && results[0]!.item === null
  return [
    `    ${names.join(', ')} = ${call}`,
    `    return ${single ? values[0]! : `(${values.join(', ')}${values.length === 1 ? ',' : ''})`}`,
  ]
}

function registration(parts: FileParts, search: FunctionCode): string[] {
  const { name, form, selection, parameters, examples } = parts
  const call = `torch.ops.fused.${name}(${search.parameters.join(', ')})`
  const replacement = functionText('replacement', search.parameters, [`return ${call}`])
  const options = ['    extra_check=extra_check,']
  if (parameters.length > 0)
    options.push(`    scalar_workaround={${parameters.map((p) => `${quoted(p.name)}: ${p.text}`).join(', ')}},`)
  if (form.kind === 'traced' && form.exclusive)
    options.push(
      `    exclusive_arg_names=[${selection.inputs
        .filter((i) => search.parameters.includes(i.name))
        .map((i) => quoted(i.name))
        .join(', ')}],`,
    )
  const expression = form.kind === 'expression' ? expressionCodeOf(selection, form, parameters) : null
  if (expression) options.push('    search_fn_pattern=expression(),')
  return [
    replacement,
    ...(expression ? [expressionFunction(expression.lines, expression.result)] : []),
    extraCheck(parts),
    ...(form.kind === 'traced' && form.reshape ? [TRACE_RESHAPES] : []),
    `with FakeTensorMode():
    inputs = [
${examples!.map((e) => `        ${e}`).join('\n')}
    ]
    register_replacement(
        pattern,
        replacement,
        inputs,
        ${form.kind === 'traced' && form.reshape ? 'trace_as_post_grad' : 'fwd_only'},
        patterns,
${options.map((o) => `    ${o}`).join('\n')}
    )`,
  ]
}

const expressionFunction = (lines: readonly string[], result: string): string =>
  functionText(
    'expression',
    [],
    ['"""The pattern as the matcher compares it: every constant is exact."""', ...lines, `return ${result}`],
  )

const TRACE_RESHAPES = `def trace_as_post_grad(fn, args, **options):
    """Traces as fwd_only. Inductor makes each view a reshape before post-grad passes run."""
    module = fwd_only(fn, args, **options)
    view_to_reshape(module)
    return module`

function extraCheck({ selection, form, condition }: FileParts): string {
  if (condition)
    return [
      'def extra_check(match):',
      `    # Several places fit, and PyTorch takes the first that it finds: take those`,
      `    # ${condition.text}.`,
      `    return ${condition.code}`,
    ].join('\n')
  const input = selection.inputs.find((i) => i.node.meta.val?.kind === 'tensor')
  const val = input?.node.meta.val
  const suggestion =
    input && val?.kind === 'tensor'
      ? [
          `    # Inputs of ${form.kind === 'traced' ? 'every dtype, shape and device that trace alike' : 'any dtype, shape and device'} match. To restrict them:`,
          `    # return match.kwargs[${quoted(input.name)}].meta["val"].dtype == torch.${val.dtype}`,
        ]
      : []
  return ['def extra_check(match):', ...suggestion, '    return True'].join('\n')
}

function handler(parts: FileParts, search: FunctionCode): string[] {
  const { name, form, selection, results, parameters, condition } = parts
  const { lines, result } = expressionCodeOf(selection, form, parameters)
  const { outputs } = form
  const earliest = outputs.reduce((at, o, i) => (o.isBefore(outputs[at]!) ? i : at), 0)
  const single = results.length === 1 && results[0]!.item === null
  const target = `torch.ops.fused.${name}.default`
  const call = `graph.call_function(${target}, (${search.parameters.join(', ')}${search.parameters.length === 1 ? ',' : ''}))`
  return [
    expressionFunction(lines, result),
    ...(condition ? [extraCheck(parts)] : []),
    [
      `@register_graph_pattern(expression(), ${condition ? 'extra_check=extra_check, ' : ''}pass_dict=patterns)`,
      `def fuse(${['match', ...search.parameters].join(', ')}):`,
      '    graph, outputs = match.graph, match.output_nodes()',
      `    with graph.inserting_before(outputs[${earliest}]):`,
      `        fused = ${call}`,
      ...(single
        ? []
        : [`        results = [graph.call_function(operator.getitem, (fused, i)) for i in range(${results.length})]`]),
      ...(single ? ['    results = [fused]'] : []),
      ...replacements(outputs, results),
      '    match.erase_nodes()',
    ].join('\n'),
  ]
}

/** Lines that pass the results to each output's readers. */
function replacements(outputs: readonly Node[], results: readonly OperatorResult[]): string[] {
  const packed = new Set(results.filter((r) => r.item !== null).map((r) => r.output))
  if (packed.size === 0)
    return [
      '    for node, result in zip(outputs, results):',
      '        result.meta.update(node.meta)',
      '        node.replace_all_uses_with(result)',
    ]
  return outputs.flatMap((output, i) => {
    const first = results.findIndex((r) => r.output === output)
    if (!packed.has(output))
      return [
        `    results[${first}].meta.update(outputs[${i}].meta)`,
        `    outputs[${i}].replace_all_uses_with(results[${first}])`,
      ]
    return [
      `    for node in list(outputs[${i}].users):`,
      '        if node.target is operator.getitem:',
      `            result = results[${first === 0 ? '' : `${first} + `}node.args[1]]`,
      '            result.meta.update(node.meta)',
      '            node.replace_all_uses_with(result)',
      '            graph.erase_node(node)',
    ]
  })
}
