import { describe, expect, test } from 'vitest'
import { changeBetween, flagsOf, flagsText, layersOf, layersText, listOf } from './environment'

const answer = (question: string, answer: string) => ({ question, answer, source: { file: 'p.py', line: 3 } })

describe('flags', () => {
  test('are parsed by their form and printed unchanged', () => {
    const text = 'fuse_norm_quant=false\nmax_tokens = 512\nmode=fast'
    const { flags, problem } = flagsOf(text)
    expect(problem).toBeNull()
    expect(flags).toEqual({ fuse_norm_quant: false, max_tokens: 512, mode: 'fast' })
    expect(flagsOf(flagsText(flags)).flags).toEqual(flags)
  })

  test('an invalid line is reported with the expected form', () => {
    expect(flagsOf('a=1\nfuse norm').problem).toBe('Line 2 is “fuse norm”; write name=value.')
  })

  test('layers are read a line each, and printed as typed', () => {
    const text = 'model.layers.0.attn = Attention(32, 128, num_kv_heads=8)\nl1 = a.b.Kimi(num_heads=32)'
    expect(layersText(layersOf(text).layers)).toBe(text)
    expect(layersOf(' \n').layers).toBeUndefined()
    expect(layersOf('l1 = Kimi').problem).toBe('Line 1 is “l1 = Kimi”; write name = Class(arguments).')
  })

  test('custom operators are separated by commas or spaces', () => {
    expect(listOf(' none, +rms_norm  -silu_and_mul,')).toEqual(['none', '+rms_norm', '-silu_and_mul'])
  })
})

describe('a change of the environment', () => {
  test('lists added and removed registrations, counts equal ones, and names the deciding queries', () => {
    const registered = (...texts: string[]) => texts.map((text) => ({ key: text, text }))
    const before = {
      entries: registered('A (eps=1)', 'B', 'B'),
      answers: [answer('is_cuda()', 'True'), answer('dtype', 'bf16')],
    }
    const after = {
      entries: registered('A (eps=2)', 'B'),
      answers: [answer('is_cuda()', 'False'), answer('dtype', 'bf16')],
    }
    expect(changeBetween(before, after)).toEqual({
      appeared: ['A (eps=2)'],
      disappeared: ['A (eps=1)', 'B'],
      decided: [{ question: 'is_cuda()', before: 'True', after: 'False', source: { file: 'p.py', line: 3 } }],
    })
  })
})
