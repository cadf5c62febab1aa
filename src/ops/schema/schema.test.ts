import { expect, test } from 'vitest'
import { catalogOverloads, catalogSchema, mutatedArgs, parseSchema } from '.'
import { schemaTexts } from '#schema-texts'

test('reads every schema of PyTorch', () => {
  for (const line of schemaTexts().join('').trim().split('\n'))
    expect(() => parseSchema(null, line), line).not.toThrow()
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

test('a malformed schema says what was expected, and where', () => {
  expect(() => parseSchema('_C', 'rms(Tensor x -> Tensor')).toThrow(
    /^expected \) but found 'arrow' here:\nrms\(Tensor x -> Tensor\n {13}~~ <--- HERE\n$/,
  )
  expect(() => parseSchema('_C', 'rms(Tnsor x) -> Tensor')).toThrow(/unknown type specifier/)
})
