/** Exceptions of a search or replacement function while it is traced. */
import type { Mistake } from './types'

const NO_VALUES =
  'A function is traced with shapes and dtypes and without values: remove .item(), float(x) and an if on a value, and register one pattern per branch.'

export const TRACE_MISTAKES: readonly Mistake[] = [
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
