/** The example inputs of a registration: tensors with the graph's metadata. */
import { formatDevice, type TensorMeta, type Val } from '../../fx'
import { contiguousStrides } from '../../ops/strides'
import { sameDims } from '../../ops/sym'
import { ExampleSizes } from './sym_text'
import type { SelectedNodes } from './types'

/** One expression per tensor input; null if an input's metadata is unknown. Symbolic sizes become numbers. */
export function exampleInputs({ inputs }: SelectedNodes): string[] | null {
  const sizes = new ExampleSizes(new Set(inputs.flatMap(({ node }) => knownSizes(node.meta.val))))
  const lines: string[] = []
  for (const { node } of inputs) {
    const { val } = node.meta
    if (val?.kind === 'scalar') continue
    const text = val?.kind === 'tensor' ? tensorCode(val, sizes) : null
    if (text === null) return null
    lines.push(text)
  }
  return lines
}

const knownSizes = (val: Val | null | undefined): number[] =>
  val?.kind === 'tensor' ? val.shape.filter((d) => typeof d === 'number') : []

/** A value with the metadata of a node, or of one of its items. */
export function emptyValue(val: Val | undefined, item: number | null): string {
  const one = val?.kind === 'vals' ? val.items[item ?? 0] : val
  const text = one?.kind === 'tensor' ? tensorCode(one, new ExampleSizes()) : null
  return text?.replace(/,(?:  #.*)?$/, '') ?? 'torch.empty([])'
}

function tensorCode({ shape, stride, dtype, device }: TensorMeta, sizes: ExampleSizes): string | null {
  const dims = shape.map((d) => sizes.of(d))
  const steps = stride?.map((d) => sizes.of(d)) ?? null
  if (dims.includes(null) || steps?.includes(null)) return null
  const where = `dtype=torch.${dtype}, device="${device ? formatDevice(device) : 'cpu'}"`
  const strided = stride !== null && !sameDims(stride, contiguousStrides(shape))
  const call = strided
    ? `torch.empty_strided([${dims.join(', ')}], [${steps!.join(', ')}]`
    : `torch.empty([${dims.join(', ')}]`
  const symbolic = [...shape, ...(strided ? stride : [])].some((d) => typeof d === 'string')
  return `${call}, ${where}),${symbolic ? `  # [${shape.join(', ')}]` : ''}`
}
