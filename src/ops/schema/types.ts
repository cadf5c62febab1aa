import type { Arg } from '../../fx'

/** One argument or return of a schema: `Tensor(a!)? out=None`. */
export interface SchemaType {
  /** `Tensor`, `int`, `SymInt`, `float`, `bool`, `Scalar`, `str`, `ScalarType`, `Device`, `Layout`, `MemoryFormat`, … */
  readonly base: string
  readonly optional: boolean
  /** Null: not a list. 0: a list of any length; n: a list, or one value that stands for n equal ones (`int[2]`). */
  readonly list: number | null
  /** `Tensor?[]`. */
  readonly itemOptional: boolean
  /** The alias set: `a` in `Tensor(a!)`. */
  readonly alias: string | null
  readonly write: boolean
}

export interface SchemaArg {
  readonly name: string
  readonly type: SchemaType
  readonly kwargOnly: boolean
  /** `Tensor(a!)`: the operator writes to it. */
  readonly written: boolean
  /** True for `Tensor(a)` and `Tensor(a!)`: it has an alias set. */
  readonly aliased: boolean
  readonly hasDefault: boolean
  /** Undefined without a default. */
  readonly default: Arg | undefined
}

/** The origin of a cataloged schema: the project, its file, and the months in which the file was seen to declare it. */
export interface SchemaSource {
  /** `vLLM`, `SGLang (proposal)`. */
  readonly project: string
  readonly file: string
  /** First and last month seen, `2025-06`; null for a schema that no release of the project has. */
  readonly since: string | null
  readonly until: string | null
}

export interface OpSchema {
  /** `aten.add.Tensor`; the overload is `default` when the schema names none. */
  readonly name: string
  readonly args: readonly SchemaArg[]
  readonly returns: readonly SchemaType[]
  /** True if some argument is written to. */
  readonly mutable: boolean
  /** As declared, without the namespace. */
  readonly text: string
  /** For a cataloged schema outside PyTorch. */
  readonly source?: SchemaSource
}

/** Names of the tensor arguments an operator writes to, in order. */
export const mutatedArgs = (schema: OpSchema): string[] =>
  schema.args.filter((a) => a.type.write && a.type.base === 'Tensor').map((a) => a.name)
