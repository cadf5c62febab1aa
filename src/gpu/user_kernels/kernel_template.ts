/** Generates the skeleton of a user kernel: the header and buffers of an operator, without the computation. */
import { builtInKernel } from '../device/registry'

/** @param op qualified name without overload */
export function kernelTemplate(op: string): string {
  const base = builtInKernel(op)?.kernel
  const tensors = base
    ? base.params
        .filter((p) => p.kind !== 'attr' && p.kind !== 'kept' && !p.optional)
        .flatMap((p) =>
          p.kind === 'inout'
            ? [[p.name, false] as const, [`${p.name}_out`, true] as const]
            : [[p.name, p.kind === 'out'] as const],
        )
    : [['input', false] as const, ['result', true] as const]
  const out = tensors.find(([, written]) => written)?.[0] ?? tensors[0]![0]
  const values = base?.params.filter((p) => p.kind === 'attr').map((p) => p.name) ?? []
  const head = base
    ? `// ${op} by a kernel of your own. Delete this file to have the built-in one back.`
    : `// ${op}: an operator that is not known here. Say its arguments in order, and the shape and dtype it writes.`
  return [
    head,
    '// What these lines can contain: docs/kernels.md.',
    `// op: ${op}`,
    ...(base ? [] : ['// args: result, input', '// out: result = [size(input, 0), size(input, 1)] bf16']),
    `// bindings: ${tensors.map(([n]) => n).join(', ')}`,
    '// use: bf16',
    `// const: ROWS = rows(${out})`,
    `// const: COLS = size(${out}, -1)`,
    '// dispatch: ceil(ROWS / 64)',
    ...(values.length > 0 ? [`// Arguments that are numbers: ${values.join(', ')}.`] : []),
    '',
    '// Every buffer can be read as 32-bit words: two bf16 or four 8-bit codes to a word, the first in the low bits.',
    ...tensors.map(
      ([n, written], i) =>
        `@group(0) @binding(${i}) var<storage, ${written ? 'read_write' : 'read'}> ${n}: array<${/^scales?$/.test(n) ? 'f32' : 'u32'}>;`,
    ),
    '',
    '@compute @workgroup_size(64)',
    'fn main(@builtin(global_invocation_id) id: vec3<u32>) {',
    '  let row = id.x;',
    '  if (row >= ROWS) { return; }',
    `  // Write the COLS elements of this row of ${out}.`,
    '}',
    '',
  ].join('\n')
}
