import { describe, expect, it } from 'vitest'
import { boundedWgsl, boundProblems } from './bounded_wgsl'
import { HOSTILE_KERNELS } from '../testing/hostile/kernels'
import { ownKernels } from './user_kernel'
import { wgslFunctions } from './wgsl_scan'

const MAIN = 'fn main() {'

describe('loops are bounded in a copy of the shader', () => {
  const lines = (wgsl: string): string => boundedWgsl(wgsl).split('\n@group(1)')[0]!

  it('at the beginning of each body', () => {
    expect(lines(`${MAIN}\n  for (var i = 0u; i < 9u; i++) { while (a[i] > (b)) { x(); } }\n}`)).toBe(
      'fn main() { if (fs_over()) { return; } \n' +
        '  for (var i = 0u; i < 9u; i++) { if (fs_tick(2u)) { break; }  while (a[i] > (b)) { if (fs_tick(2u)) { break; }  x(); } }\n}',
    )
  })
  it('with one uniform counter around a barrier, and none where threads may leave alone', () => {
    expect(lines(`fn wait() { workgroupBarrier(); }\n${MAIN} for (;;) { loop { wait(); } loop { break; } } }`)).toBe(
      'fn wait() { workgroupBarrier(); }\nfn main() { { var fs_n0 = 0u; for (;;) { fs_n0 += 1u; if (fs_n0 > 65536u) { fs_stop(1000000002u); break; }  loop { fs_n0 += 1u; if (fs_n0 > 65536u) { fs_stop(1000000002u); break; }  wait(); } loop { if (fs_tick(2u)) { break; }  break; } } } }',
    )
  })
  it('with a result for functions that only return from a loop', () => {
    expect(lines('fn f(x: u32) -> vec2<f32> { loop { return vec2f(); } }')).toContain('}  return vec2<f32>(); }')
  })
  it('not in comments, and under names that the text does not use', () => {
    const text = `${MAIN} /* for (;;) { /* nested */ } */ // loop {\n let fs_left = 1u; }`
    expect(lines(text)).toBe(text.replace('main() {', 'main() { if (fsfs_over()) { return; } '))
  })
})

it('functions, their calls and loops are found', () => {
  const [f, main] = wgslFunctions(
    'fn f(a: array<u32, 4>) -> u32 { return 1u; }\n@compute fn main() {\n f(x); f(y);\n loop {} }',
  )
  expect(f).toMatchObject({ name: 'f', returns: 'u32', calls: [], loops: [] })
  expect(main).toMatchObject({ name: 'main', line: 2, calls: ['f', 'f'], loops: [{ keyword: 'loop', line: 4 }] })
})

it('texts, calls and recursion have static limits', () => {
  const problem = (text: string): string | undefined => boundProblems({ name: 'k.wgsl', text })[0]?.message
  expect(problem('x'.repeat(64_001))).toContain('64001 characters, more than the limit of 64000')
  const chain = Array.from({ length: 2000 }, (_, i) => `fn f${i}() { f${i + 1}(); }`).join('\n')
  expect(problem(`${chain}\nfn f2000() {}\n${MAIN} f0(); }`)).toBeUndefined()
  expect(problem(`fn f() { g(); }\nfn g() { f(); }\n${MAIN} f(); }`)).toContain('WGSL has no recursion')
})

it('headers of hostile kernels have problems, never exceptions', () => {
  for (const { name, text } of HOSTILE_KERNELS)
    expect(() => ownKernels([{ name: 'bad.wgsl', text }]), name).not.toThrow()
  expect(HOSTILE_KERNELS.length).toBeGreaterThanOrEqual(25)
})
