// Writes src/ops/schema/torch.txt: every operator schema that PyTorch 2.14.1 registers, one per line; overloads of an
// operator in the order PyTorch tries them. Usage: node scripts/make-schemas.mjs schemas.txt order.txt
// (torch._C._jit_get_all_schemas; conformance/overload_order.py)
import { readFileSync, writeFileSync } from 'node:fs'

/** Prims of PyTorch 2.6 that 2.14 replaced by others. */
const OLDER = [
  'prims::_low_memory_max_pool2d_offsets_to_indices(Tensor self, SymInt kernel_w, SymInt input_w, SymInt[2] stride, SymInt[2] padding) -> Tensor',
  'prims::_low_memory_max_pool2d_with_offsets(Tensor self, SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, SymInt[2] dilation, bool ceil_mode) -> (Tensor, Tensor)',
]

const lines = [...readFileSync(process.argv[2], 'utf8').trim().split('\n'), ...OLDER].sort()
/** Position of each overload among its operator's, by `aten::add.Tensor`. */
const rank = new Map()
for (const row of readFileSync(process.argv[3], 'utf8').trim().split('\n')) {
  const [name, ...overloads] = row.split(' ')
  overloads.forEach((o, i) => rank.set(o === 'default' ? name : `${name}.${o}`, i))
}
const head = (/** @type {string} */ line) => line.split('(')[0]
/** @type {Map<string, string[]>} */
const packets = new Map()
// TorchScript dicts and objects never occur in an FX graph of tensors.
for (const line of lines.filter((l) => !/Dict\(|__torch__|Future|RRef|Await/.test(l))) {
  const packet = head(line).split('.')[0]
  packets.set(packet, [...(packets.get(packet) ?? []), line])
}
const kept = [...packets.values()].flatMap((p) =>
  p.sort((a, b) => (rank.get(head(a)) ?? Infinity) - (rank.get(head(b)) ?? Infinity)),
)
writeFileSync('src/ops/schema/torch.txt', kept.join('\n') + '\n')
console.log(`${kept.length} of ${lines.length} schemas`)
