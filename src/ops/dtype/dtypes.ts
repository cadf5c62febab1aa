/** Storage dtypes: torch's names, sizes, and the number of elements per 32-bit word of a GPU buffer. */

/** int64 occupies its eight bytes; values are limited to the low word's range, -2^31 to 2^31 - 1. */
export type DTypeName =
  | 'float32'
  | 'float16'
  | 'bfloat16'
  | 'float8_e4m3fn'
  | 'float8_e5m2'
  | 'float8_e8m0fnu'
  | 'int8'
  | 'uint8'
  | 'int32'
  | 'int64'
  | 'bool'

export interface DTypeInfo {
  readonly name: DTypeName
  /** The abbreviation in print_readable: `bf16`. */
  readonly short: string
  readonly bytes: 1 | 2 | 4 | 8
  /** Elements per u32 word; element 0 is in the lowest bits. 0.5 for int64. */
  readonly perWord: 0.5 | 1 | 2 | 4
  readonly floating: boolean
}

const info = (name: DTypeName, short: string, bytes: 1 | 2 | 4 | 8, floating: boolean): DTypeInfo => ({
  name,
  short,
  bytes,
  perWord: (4 / bytes) as 0.5 | 1 | 2 | 4,
  floating,
})

export const DTYPES: Readonly<Record<DTypeName, DTypeInfo>> = {
  float32: info('float32', 'f32', 4, true),
  float16: info('float16', 'f16', 2, true),
  bfloat16: info('bfloat16', 'bf16', 2, true),
  float8_e4m3fn: info('float8_e4m3fn', 'f8e4m3fn', 1, true),
  float8_e5m2: info('float8_e5m2', 'f8e5m2', 1, true),
  float8_e8m0fnu: info('float8_e8m0fnu', 'f8e8m0fnu', 1, true),
  int8: info('int8', 'i8', 1, false),
  uint8: info('uint8', 'u8', 1, false),
  int32: info('int32', 'i32', 4, false),
  int64: info('int64', 'i64', 8, false),
  bool: info('bool', 'b8', 1, false),
}

const BY_SHORT = new Map(Object.values(DTYPES).map((d) => [d.short, d]))

/** The dtype for torch's name (`bfloat16`, `torch.bfloat16`) or print_readable's (`bf16`); null if unsupported. */
export function dtypeInfo(name: string): DTypeInfo | null {
  const bare = name.startsWith('torch.') ? name.slice(6) : name
  if (Object.hasOwn(DTYPES, bare)) return DTYPES[bare as DTypeName]
  return BY_SHORT.get(bare) ?? null
}
