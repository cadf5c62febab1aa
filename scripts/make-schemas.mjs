// Writes src/ops/schema/text.ts: every operator schema that PyTorch 2.14.1 registers, one a line, as one string.
// Usage: node scripts/make-schemas.mjs schemas.txt   (made by torch._C._jit_get_all_schemas, see conformance/record_traces.py)
import { readFileSync, writeFileSync } from 'node:fs'

const lines = readFileSync(process.argv[2], 'utf8').trim().split('\n')
// Dicts and objects of TorchScript never reach an FX graph of tensors.
const kept = lines.filter((l) => !/Dict\(|__torch__|Future|RRef|Await/.test(l))
const text = kept.join('\n').replace(/[`\\$]/g, (c) => `\\${c}`)
writeFileSync(
  'src/ops/schema/text.ts',
  `/** Made by scripts/make-schemas.mjs from PyTorch 2.14.1's own registry. Do not edit. */\nexport const SCHEMAS = \`${text}\`\n`,
)
console.log(`${kept.length} of ${lines.length} schemas`)
