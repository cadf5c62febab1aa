/** Names of dtypes, layouts and memory formats, and the abbreviations in print_readable (torch.utils._dtype_abbrs). */

/** dtype → abbreviation, PyTorch 2.14.1. */
export const DTYPE_ABBR: Readonly<Record<string, string>> = {
  uint8: 'u8',
  int8: 'i8',
  int16: 'i16',
  int32: 'i32',
  int64: 'i64',
  float16: 'f16',
  float32: 'f32',
  float64: 'f64',
  complex32: 'c32',
  complex64: 'c64',
  complex128: 'c128',
  bool: 'b8',
  bfloat16: 'bf16',
  bits1x8: 'b1x8',
  bits2x4: 'b2x4',
  bits4x2: 'b4x2',
  bits8: 'b8x1',
  bits16: 'b16x1',
  float8_e5m2: 'f8e5m2',
  float8_e4m3fn: 'f8e4m3fn',
  float8_e5m2fnuz: 'f8e5m2fnuz',
  float8_e4m3fnuz: 'f8e4m3fnuz',
  uint16: 'u16',
  uint32: 'u32',
  uint64: 'u64',
  float8_e8m0fnu: 'f8e8m0fnu',
  float4_e2m1fn_x2: 'f4e2m1fnx2',
  bcomplex32: 'bc32',
}

const FROM_ABBR: ReadonlyMap<string, string> = new Map(Object.entries(DTYPE_ABBR).map(([name, abbr]) => [abbr, name]))

/** `bfloat16` → `bf16`; a dtype without an abbreviation keeps its name. */
export const dtypeAbbr = (name: string): string => DTYPE_ABBR[name] ?? name

/** `bf16` → `bfloat16`; null for anything else. */
export const dtypeFromAbbr = (abbr: string): string | null => FROM_ABBR.get(abbr) ?? null

const OTHER_DTYPES =
  'qint8 quint8 qint32 quint4x2 quint2x4 uint1 uint2 uint3 uint4 uint5 uint6 uint7 int1 int2 int3 int4 int5 int6 int7'
/** All dtype names, without `torch.`. */
export const DTYPES: ReadonlySet<string> = new Set([...Object.keys(DTYPE_ABBR), ...OTHER_DTYPES.split(' ')])

/** All layout names, without `torch.`. */
export const LAYOUTS: ReadonlySet<string> = new Set(
  'strided sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc _mkldnn jagged'.split(' '),
)

/** All memory format names, without `torch.`. */
export const MEMORY_FORMATS: ReadonlySet<string> = new Set(
  'contiguous_format preserve_format channels_last channels_last_3d'.split(' '),
)

/** Device types that torch.device accepts. */
export const DEVICE_TYPES: ReadonlySet<string> = new Set(
  'cpu cuda xpu mps npu hpu mtia maia meta xla ipu hip ve fpga lazy vulkan opengl opencl ideep mkldnn privateuseone'.split(
    ' ',
  ),
)
