/** Advice on exceptions of user code that first-time authors see: one sentence that says what to write. */
import { count } from '../../base/english'

const REPLACEMENT = 'register_replacement(search, replace, example_inputs, fwd_only, patterns)'

/** Exceptions of calls that register patterns, and of the functions passed to them. */
const CALL_MISTAKES: readonly Mistake[] = [
  [
    /^TypeError: register_replacement\(\) missing .*'pass_dicts'/,
    `Write ${REPLACEMENT}: the trace function is the fourth argument and the PatternMatcherPass the fifth.`,
  ],
  [/^TypeError: register_replacement\(\) missing/, `Write ${REPLACEMENT}.`],
  [
    /^TypeError: (register_(?:graph|lowering)_pattern)\(\) missing .*'pass_dict'/,
    (name) => `Write @${name}(pattern, pass_dict=patterns), where patterns is a PatternMatcherPass.`,
  ],
  [
    /^TypeError: register_replacement\(\) got an unexpected keyword argument '(\w+)'(?!.*Did you mean)/,
    (name) => `Remove ${name}: register_replacement takes extra_check, scalar_workaround and exclusive_arg_names.`,
  ],
  [
    /^TypeError: example_inputs must be a list or tuple/,
    'Write the example inputs as a list with one tensor per parameter of the search function, as [torch.empty(8, 16)].',
  ],
  [
    /^TypeError: a (?:_TensorType|type|DType|dtype) cannot be an argument of an operator/,
    'Give an example tensor instead of a type: torch.empty(8, 16).',
  ],
  [
    /^TypeError: FakeTensor\(.*\) is not a callable object/,
    'Pass the functions and not their results: register_replacement(search, replace, …), without parentheses after the names.',
  ],
  [
    /^TypeError: 'type' object is not iterable/,
    'Pass an instance and not the class: write patterns = PatternMatcherPass() and pass patterns.',
  ],
  [
    /^TypeError: '(?!type')(\w+)' object is not iterable/,
    (type) => `If this is pass_dicts, pass a PatternMatcherPass instead of a ${type}: patterns = PatternMatcherPass().`,
  ],
  [
    /^RuntimeError: Tracing expected (\d+) arguments but got (\d+) concrete arguments/,
    (takes, gets) =>
      `The function has ${count(Number(takes), 'parameter')} and gets ${count(Number(gets), 'argument')}, one per parameter of the search function: give both functions the same parameters in the same order.`,
  ],
  [
    /^TypeError: object of type 'NoneType' has no len\(\)/,
    'The replacement function returns None: return the value that replaces the pattern’s output.',
  ],
  [
    /^TypeError: (?!register_)(\w+)\(\) got (?:multiple values for|an unexpected keyword) argument '(\w+)'/,
    (handler, name) =>
      `A handler takes the match, then one parameter per KeywordArg of the pattern, by its name: def ${handler}(match, ${name}, …).`,
  ],
  [
    /^TypeError: \S+\(\) (?:takes 0 positional arguments but 1 was given|missing \d+ required positional arguments?: )/,
    'The function is called with one argument, the match: def extra_check(match) returns True or False, and match.kwargs holds the nodes by parameter name.',
  ],
  [
    /^TypeError: '(?:bool|int|NoneType|str)' object is not callable/,
    'Pass a function: extra_check=lambda match: True.',
  ],
  [
    /^KeyError: '(\w+)'$/,
    (name) =>
      `match.kwargs has one key per parameter of the search function or KeywordArg, and ${name} is not one of them.`,
  ],
  [
    /^AssertionError: expected 1 output node, got (\d+)/,
    (n) =>
      `The search function returns ${n} values and the replacement another number: return one value for each, in the same order.`,
  ],
]

const NO_VALUES =
  'A function is traced with shapes and dtypes and without values: remove .item(), float(x) and an if on a value, and register one pattern per branch.'

/** Exceptions of a search or replacement function during tracing. */
const TRACE_MISTAKES: readonly Mistake[] = [
  [/^DataDependentOutputException: aten\._local_scalar_dense/, NO_VALUES],
  [/^RuntimeError: a Tensor with \d+ elements cannot be converted to Scalar/, NO_VALUES],
  [/^RuntimeError: \.numpy\(\) is not supported/, 'Use torch operators instead of NumPy: only they are recorded.'],
  [
    /^AttributeError: module '(torch[\w.]*)' has no attribute 'FakeTensor\(/,
    'An f-string of a tensor has no value while the function is traced: build names from Python strings and numbers.',
  ],
  [
    /^TypeError: a Stub cannot be an argument of an operator: <stub (\w+)[\w.]*\.(\w+)\(\)>/,
    (module, fn) =>
      `${module} is not installed here and ${fn} is a stub: declare the kernel with torch.library.define("${module}::${fn}", "(Tensor x) -> Tensor") and call torch.ops.${module}.${fn}.`,
  ],
  [
    /two different devices (\w+(?::\d+)?), (\w+(?::\d+)?)/,
    (_, device) => `Create all example inputs on one device: torch.empty(…, device="${device}") for each.`,
  ],
  [
    /^RuntimeError: (?:Attempting to broadcast a dimension of length|The size of tensor a)/,
    'Give the example inputs shapes that fit together, such as torch.empty(8, 16) and torch.empty(16).',
  ],
  [
    /^TypeError: unsupported operand type\(s\) for .*'Size'/,
    'x.shape is a tuple of sizes: take one of them, as x.shape[-1].',
  ],
  [
    /^TypeError: (?:can't multiply sequence|unsupported operand type\(s\) for .*'(?:tuple|list)'|can only concatenate (?:tuple|list))/,
    'One operand is a tuple and not a tensor: an example input is torch.empty(8, 16) and not (8, 16).',
  ],
  [
    /^TypeError: (empty|zeros|ones|rand|randn)\(\) (?:missing|received an invalid combination of arguments - got \(\))/,
    (name) => `Give the shape: torch.${name}(8, 16).`,
  ],
  [
    /Expected a value of type '([^']+)' for argument '(\w+)' but instead found type '([^']+)'/,
    (type, name, found) => `Pass a ${type} as ${name} instead of a ${found}.`,
  ],
  [/is missing value for argument '(\w+)'/, (name) => `Add the argument ${name} to the call.`],
  [
    /^AttributeError: 'FakeTensor' object has no attribute '(\w+)'/,
    (name) => `A tensor has no method ${name}: call the operator, as torch.ops.aten.<name>.`,
  ],
  [
    /^RuntimeError: [ab] must be 2D/,
    'In this message a and b are the two matrices of the product, whatever your names are: torch.mm(a, b), torch.addmm(bias, a, b).',
  ],
]

const MISTAKES: readonly Mistake[] = [...TRACE_MISTAKES, ...CALL_MISTAKES]

/** @param error `TypeError: …`, as Python prints it; null if the table has no such exception */
export function adviceOn(error: string): string | null {
  for (const [form, sentence] of MISTAKES) {
    const found = form.exec(error)
    if (found) return typeof sentence === 'string' ? sentence : sentence(...found.slice(1).map((g) => g ?? ''))
  }
  return null
}

/** `. Pass the …`, to follow an exception in a message; empty if there is no advice. */
export function adviceClause(error: string): string {
  const advice = adviceOn(error)
  return advice === null ? '' : `. ${advice.replace(/\.$/, '')}`
}

/** A pattern for `Type: message`, and the sentence for it. */
type Mistake = readonly [form: RegExp, sentence: string | ((...groups: string[]) => string)]
