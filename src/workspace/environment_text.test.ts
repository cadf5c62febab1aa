import { describe, expect, it } from 'vitest'
import { readEnvironment } from './environment_text'
import { DEFAULT_ENVIRONMENT } from './types'

const read = (...texts: string[]) => {
  const made = readEnvironment(texts)
  return made.ok ? made.value : made.error
}

describe('settings of the environment', () => {
  it('replace those of the default', () => {
    expect(read()).toEqual(DEFAULT_ENVIRONMENT)
    expect(read('platform=npu,dtype=bf16,tokens=128', 'functionalization=v2')).toEqual({
      ...DEFAULT_ENVIRONMENT,
      platform: 'ascend-910b',
      tokens: 128,
      functionalization: 'v2',
    })
    expect(read('platform=cuda-sm100, dtype=half, tokens=symbolic')).toEqual({
      ...DEFAULT_ENVIRONMENT,
      platform: 'cuda-sm100',
      dtype: 'float16',
    })
  })

  it('have lists of custom operators, and flags of any name', () => {
    expect(read('customOps=none,+rms_norm,fuse_norm_quant=false,limit=3,mode=a=b,constructor=1')).toEqual({
      ...DEFAULT_ENVIRONMENT,
      customOps: ['none', '+rms_norm'],
      flags: { fuse_norm_quant: false, limit: 3, mode: 'a=b', constructor: 1 },
    })
  })

  it('name the PyTorch that verdicts are of', () => {
    expect(read('torch=2.6')).toEqual({ ...DEFAULT_ENVIRONMENT, torch: '2.6' })
    expect(read('torch=v2.13.1+cpu')).toEqual({ ...DEFAULT_ENVIRONMENT, torch: '2.13' })
    expect(read('torch=2.5')).toBe('torch: expected 2.6 or 2.13 or 2.14, found "2.5"')
  })

  it('are refused with what was found and what is expected', () => {
    expect(read('platform=tpu')).toMatch(/^platform: expected cuda-sm80, .*, or cuda, .*, found "tpu"$/)
    expect(read('dtype=constructor')).toBe('dtype: expected bfloat16, float16 or float32, found "constructor"')
    expect(read('tokens=-1')).toBe('tokens: expected a positive integer, or symbolic, found "-1"')
    expect(read('platfrom=npu')).toBe('platfrom: expected platform, or a flag with a less similar name')
    expect(read('customops=none')).toMatch(/^customops: expected customOps,/)
    expect(read('fast')).toBe('needs NAME=VALUE, found "fast"')
    expect(read('tokens=3,+rms_norm')).toBe('needs NAME=VALUE, found "+rms_norm"')
  })
})
