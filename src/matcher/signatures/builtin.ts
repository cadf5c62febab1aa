/**
 * The signatures of functions that PyTorch writes in C++, as torch.fx.operator_schemas.get_signature_for_torch_op gives
 * them: one for each overload of the operator of that name, TorchScript's own included.
 */
import { catalogOverloads, type OpSchema, type SchemaArg, type SchemaType } from '../../ops/schema'
import type { Arg } from '../../fx'
import { pyRepr } from '../py'
import type { SchemaArgFacts } from '../schema_facts'

const FUNCTION = /^(?:torch|torch\._C\._(?:nn|linalg|fft|special|sparse)|(?:torch\.ops\.)?aten)\.([A-Za-z_]\w*)$/

/** The overloads behind `torch.add`, `torch._C._nn.gelu` or the packet `aten.add`; empty for another function. */
export function builtinOverloads(target: string): readonly OpSchema[] {
  const name = FUNCTION.exec(target)?.[1]
  // PyTorch knows signatures of torch.nonzero and does not use them here.
  return name && target !== 'torch.nonzero' ? catalogOverloads(`aten.${name}`) : []
}

/** The default of a parameter: `int[2] padding=0` is a list of two. */
export function defaultValue({ type, default: value }: Pick<SchemaArgFacts, 'type' | 'default'>): Arg | undefined {
  return type?.list && typeof value === 'bigint' ? Array.from({ length: type.list }, () => value) : value
}

/** What torch.typename says of the function. */
export function typeName(target: string): string {
  const aten = /^(?:torch\.ops\.)?aten\.(\w+)$/.exec(target)
  if (aten)
    return `torch._ops.aten.pybind11_detail_function_record_v1_system_libstdcpp_gxx_abi_1xxx_use_cxx11_abi_1.${aten[1]}`
  return target.replace(/^torch\.(?!_C)/, 'torch._VariableFunctionsClass.')
}

/** `(input: torch.Tensor, *, alpha: numbers.Number = 1) -> torch.Tensor`: str() of the overload's inspect.Signature. */
export function signatureText({ args, returns }: OpSchema): string {
  const parts: string[] = []
  for (const [i, arg] of args.entries()) {
    if (arg.kwargOnly && !args[i - 1]?.kwargOnly) parts.push('*')
    parts.push(parameterText(arg))
    if (arg.name === 'from') parts.push('/')
  }
  return `(${parts.join(', ')}) -> ${returnText(returns)}`
}

function parameterText({ name, type, hasDefault, default: value }: SchemaArg): string {
  const text = `${name === 'self' ? 'input' : name}: ${annotation(type)}`
  return hasDefault ? `${text} = ${pyRepr(defaultValue({ type, default: value }) ?? null)}` : text
}

function returnText(returns: readonly SchemaType[]): string {
  if (returns.length === 0) return 'None'
  if (returns.length === 1) return annotation(returns[0]!)
  return `tuple[${returns.map((r) => annotation(r).replace(/^List/, 'typing.List')).join(', ')}]`
}

const NAMES: Readonly<Record<string, string>> = {
  Tensor: 'torch.Tensor',
  Scalar: 'numbers.Number',
  number: 'numbers.Number',
  SymInt: 'int',
  SymFloat: 'float',
  SymBool: 'bool',
  ScalarType: 'int',
  Layout: 'int',
  MemoryFormat: 'int',
  Device: 'torch.device',
  AnyEnumType: 'enum.Enum',
  t: '~t',
}

/** The type as Python 3.14 prints it. */
function annotation({ base, optional, list, itemOptional }: SchemaType): string {
  let text = NAMES[base] ?? base
  if (list !== null) text = `List[${itemOptional ? `${text} | None` : text}]`
  return optional ? `${text} | None` : text
}
