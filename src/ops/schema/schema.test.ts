import { expect, test } from 'vitest'
import { catalogOverloads, catalogSchema, catalogVersions, mutatedArgs, parseSchema, sourceText } from '.'
import { SCHEMAS } from '../tables/schemas'
import { schemaTexts } from '#schema-texts'

test('reads every schema of PyTorch', () => {
  for (const line of schemaTexts().join('').trim().split('\n'))
    if (!line.startsWith('# '))
      expect(() => parseSchema(null, line.replace(/^\d{4}-\d\d\.\.\S+ /, '')), line).not.toThrow()
})

test('reads defaults, alias sets, lists and keyword-only arguments', () => {
  const add = catalogSchema('aten.add_.Tensor')!
  expect(add.mutable).toBe(true)
  expect(mutatedArgs(add)).toEqual(['self'])
  expect(add.args[2]).toMatchObject({ name: 'alpha', kwargOnly: true, default: 1n })
  expect(catalogOverloads('aten.sum').map((s) => s.name)).toContain('aten.sum.dim_IntList')
  const user = parseSchema('_C', 'rms(Tensor! result, Tensor(a!)? residual, int[2] k=[1, 2], float eps=1e-6) -> ()')
  expect(mutatedArgs(user)).toEqual(['result', 'residual'])
  expect(user.args[2]).toMatchObject({ default: [1n, 2n], type: { base: 'int', list: 2 } })
  expect(user.args[3]!.default).toBe(1e-6)
  expect(user.returns).toEqual([])
})

test('blanks before alias sets and brackets are no names, as in PyTorch', () => {
  const of = (text: string): string[] => {
    const { args, returns } = parseSchema('m', text)
    return [...args.map((a) => `${a.name} ${a.type.alias} ${a.type.list}`), ...returns.map((r) => String(r.alias))]
  }
  expect(of('f(Tensor  (a!) x, int [2] y=1, *, Tensor(b!) out) -> Tensor (b!)')).toEqual([
    'x a null',
    'y null 2',
    'out b null',
    'b',
  ])
})

test('a malformed schema says what was expected, and where', () => {
  expect(() => parseSchema('_C', 'rms(Tensor x -> Tensor')).toThrow(
    /^expected \) but found 'arrow' here:\nrms\(Tensor x -> Tensor\n {13}~~ <--- HERE\n$/,
  )
  expect(() => parseSchema('_C', 'rms(Tnsor x) -> Tensor')).toThrow(/unknown type specifier/)
})

test('each schema outside PyTorch names its source, and no version is listed twice', () => {
  const packets = new Set<string>()
  for (const text of [...schemaTexts().slice(1), ...SCHEMAS])
    for (const m of text.matchAll(/^(?:\S+ )?(\w+)::(\w+)[.(]/gm)) packets.add(`${m[1]}.${m[2]}`)
  expect(packets.size).toBeGreaterThan(80)
  for (const packet of packets) {
    const versions = catalogVersions(packet)
    for (const s of versions)
      expect(s.source, s.text).toMatchObject({ file: expect.stringMatching(/\.\w+$/) as string })
    const texts = versions.map((s) => `${s.text} ${s.source?.file}`)
    expect(new Set(texts).size, packet).toBe(texts.length)
  }
})

test('knows the versions of an operator, the newest first', () => {
  const versions = catalogVersions('vllm.rocm_aiter_group_fp8_quant')
  expect(versions.map((s) => [s.text, sourceText(s.source!)])).toEqual([
    [
      'vllm::rocm_aiter_group_fp8_quant(Tensor x, int group_size, bool transpose_scale=False) -> (Tensor, Tensor)',
      'vLLM 2026-07 to 2026-08 (vllm/_aiter_ops.py)',
    ],
    [
      'vllm::rocm_aiter_group_fp8_quant(Tensor x, int group_size) -> (Tensor, Tensor)',
      'vLLM 2025-11 to 2026-07 (vllm/_aiter_ops.py)',
    ],
  ])
  expect(catalogOverloads('vllm.rocm_aiter_group_fp8_quant')).toHaveLength(1)
})
