import { describe, expect, it } from 'vitest'
import {
  device,
  dict,
  DTYPE_ABBR,
  dtypeAbbr,
  dtypeFromAbbr,
  formatArg,
  formatPython,
  formatRepr,
  opRef,
  pyFloatRepr,
  pyStringRepr,
  slice,
  tuple,
} from '..'

describe('pyFloatRepr', () => {
  it.each([
    [0, '0.0'],
    [-0, '-0.0'],
    [1, '1.0'],
    [-1.5, '-1.5'],
    [1e15, '1000000000000000.0'],
    [9999999999999998, '9999999999999998.0'],
    [1e16, '1e+16'],
    [1.2345678901234568e17, '1.2345678901234568e+17'],
    [1e22, '1e+22'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [0.000012345, '1.2345e-05'],
    [1e-100, '1e-100'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [-3.4028234663852886e38, '-3.4028234663852886e+38'],
    [Infinity, 'inf'],
    [-Infinity, '-inf'],
    [NaN, 'nan'],
  ])('%s', (x, text) => expect(pyFloatRepr(x)).toBe(text))
})

describe('pyStringRepr', () => {
  it.each([
    ["it's", `"it's"`],
    [`it's "q"`, `'it\\'s "q"'`],
    ['a\nb\t\\', `'a\\nb\\t\\\\'`],
    ['\x01é\u200b', `'\\x01é\\u200b'`],
  ])('%j', (text, repr) => expect(pyStringRepr(text)).toBe(repr))
})

describe('values in the three styles', () => {
  it.each([
    ['floor', 'floor', `'floor'`, `'floor'`],
    [device('cuda', 0), 'cuda:0', `device(type='cuda', index=0)`, `device(type='cuda', index=0)`],
    [opRef('_C.f.default'), '_C.f.default', `<OpOverload(op='_C.f', overload='default')>`, 'torch.ops._C.f.default'],
    [{ kind: 'complex', re: 0, im: 2 } as const, '2j', '2j', 'complex(0.0, 2.0)'],
    [{ kind: 'complex', re: 1, im: -2 } as const, '(1-2j)', '(1-2j)', '(1-2j)'],
    [tuple(['a']), '(a,)', `('a',)`, `('a',)`],
    [slice('a', null, 2n), `slice('a', None, 2)`, `slice('a', None, 2)`, `slice('a', None, 2)`],
    [dict(new Map([['k', 1]])), '{k: 1.0}', `{'k': 1.0}`, `{'k': 1.0}`],
  ])('$1', (arg, fx, repr, python) => {
    expect(formatArg(arg)).toBe(fx)
    expect(formatRepr(arg)).toBe(repr)
    expect(formatPython(arg)).toBe(python)
  })
})

it('converts dtype abbreviations in both directions', () => {
  for (const name of Object.keys(DTYPE_ABBR)) expect(dtypeFromAbbr(dtypeAbbr(name))).toBe(name)
  expect(dtypeFromAbbr('f8e4m3fn')).toBe('float8_e4m3fn')
  expect(dtypeFromAbbr('x9')).toBeNull()
})
