/** Convolutions: all become aten.convolution. */
import type { Dim } from '../../fx'
import { toDim, type DispatchArg } from '../fake'
import { register, type OpDef } from '../registry'
import { addDims, floorDiv, mulDims, subDims } from '../sym'
import { TorchError } from '../torch_error'

const conv = (rank: number): OpDef => ({
  implicit: (c) => {
    const x = c.tensor('input')
    // One image without its batch is a batch of one.
    if (x.meta.shape.length === rank + 1) {
      const args = ['weight', 'bias', 'stride', 'padding', 'dilation', 'groups'].map((n) => c.get(n))
      const out = c.call(c.schema.name, [c.op('aten.unsqueeze.default', x, 0n), ...args])
      return c.op('aten.squeeze.dim', out, 0n)
    }
    const list = (name: string): DispatchArg => {
      const dims = c.dims(name)
      if (!dims) throw new TorchError('NotImplementedError', `Fusescope cannot trace ${name} given as text yet`)
      return (dims.length === 1 ? new Array<Dim>(rank).fill(dims[0]!) : dims).map((d) => BigInt(d))
    }
    const zeros = new Array<DispatchArg>(rank).fill(0n)
    return c.call('aten.convolution.default', [
      c.tensor('input'),
      c.tensor('weight'),
      c.get('bias'),
      list('stride'),
      list('padding'),
      list('dilation'),
      false,
      zeros,
      c.get('groups'),
    ])
  },
})
register('aten.conv1d.default', conv(1))
register('aten.conv2d.default', conv(2))
register('aten.conv3d.default', conv(3))

register('aten.convolution', {
  meta: (c) => {
    const [x, w] = [c.tensor('input'), c.tensor('weight')]
    const [stride, padding, dilation] = ['stride', 'padding', 'dilation'].map((n) => c.dims(n)!)
    const size = (i: number): Dim => {
      const kernel = addDims(mulDims(dilation![i]!, subDims(w.meta.shape[i + 2]!, 1)), 1)
      const input = x.meta.shape[i + 2]!
      if (c.bool('transposed'))
        return addDims(
          subDims(mulDims(subDims(input, 1), stride![i]!), mulDims(2, padding![i]!)),
          addDims(
            kernel,
            toDim(c.dims('output_padding')![i] === undefined ? 0n : BigInt(c.dims('output_padding')![i]!)),
          ),
        )
      return addDims(floorDiv(subDims(addDims(input, mulDims(2, padding![i]!)), kernel), stride![i]!), 1)
    }
    const channels = c.bool('transposed') ? mulDims(w.meta.shape[1]!, c.int('groups')) : w.meta.shape[0]!
    return c.fresh(x.meta.dtype, [x.meta.shape[0]!, channels, ...stride!.map((_, i) => size(i))], x.meta.device)
  },
})
