import { describe, expect, it } from 'vitest'
import { LinearPattern, linearPattern, PatternGaveUp } from './linear_pattern'

const PATTERNS = [
  ...[
    'a',
    'a*',
    'a+b',
    '^a',
    'a$',
    '^$',
    '^a.*MM$',
    'x|y',
    '(ab|cd)+',
    '(?:ab){2,3}',
    'a{2}',
    'a{2,}',
    'a??b',
    '[a-c]+',
  ],
  ...[
    '[^a-c]',
    '[\\w.-]+',
    '\\d+',
    '\\D',
    '\\s',
    '\\bmm\\b',
    '\\Bm',
    'aten\\.mm',
    '[]',
    '[^]',
    '',
    '()',
    'a||b',
    '(a|b|)*c',
  ],
  ...[
    '^(?:relu|add)_\\d+$',
    'a.c',
    '[.]',
    '[\\]]',
    '[a\\-z]',
    '[-a]',
    '[a-]',
    '(a*)*',
    '(a+)+b',
    '(|a)+',
    '\\.',
    '\\/',
    '{',
    'a{,2}',
  ],
  ...['}', ']', 'a{x', '\\t', '(^a|b$)', '^^a', '$', 'Ä', '(a{0,2}){2}'],
]
const TEXTS = [
  ...[
    '',
    'a',
    'ab',
    'aab',
    'b',
    'c',
    'addmm',
    'aten.mm.default',
    'aten.addmm',
    'mm',
    'x y',
    'relu_1',
    'relu_',
    'abab',
    'ababab',
  ],
  ...[
    'cdab',
    'a.c',
    'abc',
    'A',
    'ADDMM',
    '-',
    ']',
    '.',
    'aaaa',
    'b a',
    'a\nc',
    'a/b',
    '{',
    'a{,2}',
    'ä',
    'Zz',
    '_9',
    'z-',
  ],
]

describe('a linear pattern', () => {
  it('matches what a regular expression without case matches', () => {
    for (const source of PATTERNS) {
      const pattern = LinearPattern.read(source)
      expect(pattern, source).not.toBeNull()
      for (const text of TEXTS)
        expect([source, text, pattern!.test(text)]).toEqual([source, text, new RegExp(source, 'i').test(text)])
    }
  })

  it.each([
    '(',
    ')',
    '[',
    'a)',
    '*',
    'a**',
    '(?=a)',
    '(?<!a)b',
    '(a)\\1',
    '\\k<x>',
    'a{3,2}',
    '\\',
    '(?<n>a)',
    'a{9999}b{9999}',
  ])('refuses %s', (source) => expect(linearPattern(source)).toMatchObject({ ok: false }))

  it.each([
    '(a+)+b',
    '(a|a)*b',
    '(a|aa)+$',
    '(.*)*x',
    'a*a*a*a*a*a*a*a*b',
    '(a?){30}a{30}',
    '(x+x+)+y',
    '([a-z]+)*\\d',
    '(.*.*.*)*!',
  ])('takes a moment for %s', (source) => {
    const started = performance.now()
    const pattern = LinearPattern.read(source)!
    const text = 'a'.repeat(30)
    for (let i = 0; i < 2000; i++) pattern.test(text + i)
    pattern.test('a'.repeat(100_000))
    expect(performance.now() - started).toBeLessThan(1000)
  })

  it('gives up over more text than it can read in a moment', () => {
    const pattern = LinearPattern.read('(a|b)*(a|c)*(a|d)*x')!
    const text = 'abcd'.repeat(250_000)
    const started = performance.now()
    expect(() => {
      for (let i = 0; i < 30; i++) pattern.test(text)
    }).toThrow(PatternGaveUp)
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
