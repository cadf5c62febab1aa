/** Values shared by Python and the tracer: fake tensors are identified by id within a run. */
import type { Node, TensorMeta } from '../fx'
import { TorchError, type DispatchArg, type FakeTensor, type Tracer } from '../trace/types'
import { decode, encode, type Json } from './wire'

export class SharedValues {
  private readonly tensors = new Map<number, FakeTensor>()

  /** @param node the graph node of this name */
  constructor(
    private readonly tracer: Tracer,
    private readonly node: (name: string) => Node,
  ) {}

  /** Resets the state for a new run. */
  forget(): void {
    this.tensors.clear()
  }

  decode(data: Json): DispatchArg {
    return decode(data, (id) => this.tensor(id), this.node)
  }

  encode(arg: DispatchArg): Json {
    this.keepAll(arg)
    return encode(arg)
  }

  /** Creates a fake tensor that Python can refer to. */
  fake(meta: TensorMeta): FakeTensor {
    return this.keep(this.tracer.fake(meta))
  }

  /** Makes a fake tensor known to Python by id. */
  keep(fake: FakeTensor): FakeTensor {
    this.tensors.set(fake.id, fake)
    return fake
  }

  /** @throws TorchError RuntimeError for a tensor of an earlier run */
  tensor(id: number): FakeTensor {
    const found = this.tensors.get(id)
    if (!found) throw new TorchError('RuntimeError', 'this tensor belongs to an earlier run')
    return found
  }

  private keepAll(arg: DispatchArg): void {
    if (arg === null || typeof arg !== 'object') return
    if (Array.isArray(arg)) for (const a of arg as readonly DispatchArg[]) this.keepAll(a)
    else if ('kind' in arg && arg.kind === 'fake') this.keep(arg)
    else if ('kind' in arg && arg.kind === 'tuple') for (const a of arg.items as readonly DispatchArg[]) this.keepAll(a)
  }
}
