/** The annotations of print_readable: `"bf16[s72, 4096][4096, 1]cuda:0"`, `"Sym(s72)"`. */
import { dtypeAbbr, dtypeFromAbbr } from './dtypes'
import { formatDevice } from './printers/format'
import type { Device, Dim, Val } from './value'
import { device, sym } from './value'

/** Optional parts of an annotation. */
export interface ValFormat {
  stride?: boolean
  device?: boolean
}

/**
 * `bf16[48, 256]`, with `[256, 1]` and `cpu` on request; `Sym(s72)`; '' for values that print_readable does not
 * annotate.
 */
export function formatVal(val: Val, format: ValFormat = {}): string {
  if (val.kind === 'tensor') {
    const stride = format.stride && val.stride ? dims(val.stride) : ''
    const where = format.device && val.device ? formatDevice(val.device) : ''
    return dtypeAbbr(val.dtype) + dims(val.shape) + stride + where
  }
  if (val.kind === 'scalar' && typeof val.value === 'object' && val.value !== null) return `Sym(${val.value.expr})`
  return ''
}

const dims = (d: readonly Dim[]): string => `[${d.join(', ')}]`

/** Reads an annotation's text (without its quotes); null if it is not one of print_readable's. */
export function parseVal(text: string): Val | null {
  if (text.startsWith('Sym(') && text.endsWith(')')) return { kind: 'scalar', value: sym(text.slice(4, -1)) }
  const open = text.indexOf('[')
  if (open < 0) return null
  const dtype = dtypeFromAbbr(text.slice(0, open))
  if (dtype === null) {
    // A tensor subclass: `Parameter(f32[4])`, `DTensor(f32[4], S(0))`.
    const paren = text.indexOf('(')
    return paren > 0 && paren < open && text.endsWith(')') ? parseVal(text.slice(paren + 1, -1)) : null
  }
  const shape = parseDims(text, open)
  if (!shape) return null
  const stride = text[shape.end] === '[' ? parseDims(text, shape.end) : null
  const rest = text.slice(stride ? stride.end : shape.end)
  return { kind: 'tensor', dtype, shape: shape.dims, stride: stride ? stride.dims : null, device: parseDevice(rest) }
}

function parseDevice(text: string): Device | null {
  const match = /^([a-z_]+)(?::(\d+))?(?:$|,)/.exec(text)
  return match ? device(match[1]!, match[2] === undefined ? null : Number(match[2])) : null
}

/** Reads dimensions from a `[` on; `end` is past the `]`. Commas inside `Max(1, u0)` do not split. */
function parseDims(text: string, open: number): { dims: Dim[]; end: number } | null {
  const found: Dim[] = []
  let depth = 0
  let start = open + 1
  for (let i = start; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 40) depth++
    else if (c === 41) depth--
    else if (depth === 0 && (c === 44 || c === 93)) {
      const item = text.slice(start, i).trim()
      if (item !== '') found.push(/^-?\d+$/.test(item) ? Number(item) : item)
      else if (c === 44) return null
      if (c === 93) return { dims: found, end: i + 1 }
      start = i + 1
    }
  }
  return null
}
