import { beforeAll, describe, expect, test } from 'vitest'
import { SM90, start, type Started } from './testing/start'
import type { PythonEnvironment } from './types'

let py: Started
beforeAll(async () => {
  py = await start()
})

const printed = (source: string, environment?: PythonEnvironment): string[] => {
  const run = py.run(source, environment)
  if (run.failure) throw new Error(run.failure.traceback)
  return run.console.flatMap((c) => c.text.trim().split('\n'))
}

describe('the environment', () => {
  const PLATFORM = `from vllm.platforms import current_platform as p
print(p.is_cuda(), p.is_rocm(), p.is_cuda_alike(), p.has_device_capability(89), p.fp8_dtype(), p.device_type)`

  test('vllm.platforms reflects it; the default is an H100', () => {
    expect(printed(PLATFORM)).toEqual(['True False True True torch.float8_e4m3fn cuda'])
    expect(printed(PLATFORM, { ...SM90, platform: 'rocm' })).toEqual([
      'False True True True torch.float8_e4m3fnuz cuda',
    ])
    expect(printed(PLATFORM, { ...SM90, platform: 'cpu' })).toEqual(['False False False False torch.float8_e4m3fn cpu'])
  })

  test('each query is reported once, with its answer and its first source line', () => {
    const { asked } = py.run(`from vllm.platforms import current_platform
def register():
    return current_platform.is_cuda() and current_platform.has_device_capability((10, 0))
register()
register()`)
    expect(asked).toEqual([
      {
        question: 'current_platform.is_cuda()',
        answer: 'True',
        source: { file: 'p.py', line: 3, fn: 'register' },
        settings: [{ name: 'platform', value: 'cuda-sm90' }],
      },
      {
        question: 'current_platform.has_device_capability((10, 0))',
        answer: 'False',
        source: { file: 'p.py', line: 3, fn: 'register' },
        settings: [{ name: 'platform', value: 'cuda-sm90' }],
      },
    ])
  })

  test('vllm.config has dtype, custom operators and pass flags', () => {
    const source = `from vllm.config import VllmConfig, get_current_vllm_config, set_current_vllm_config
c = VllmConfig()
with set_current_vllm_config(c):
    assert get_current_vllm_config() is c
cc = c.compilation_config
print(c.model_config.dtype, cc.is_custom_op_enabled("rms_norm"), cc.is_custom_op_enabled("silu_and_mul"))
print(cc.pass_config.fuse_act_quant, cc.pass_config.my_flag)`
    const environment = {
      ...SM90,
      dtype: 'float16',
      customOps: ['none', '+rms_norm'],
      flags: { fuse_act_quant: false, my_flag: 3 },
    }
    expect(printed(source, environment)).toEqual(['torch.float16 True False', 'False 3'])
    const hash = (e: PythonEnvironment): string =>
      printed('from vllm.config import VllmConfig\nprint(VllmConfig().compute_hash())', e)[0]!
    expect(hash(environment)).toBe(hash(environment))
    expect(hash(environment)).not.toBe(hash(SM90))
  })

  test('Ascend: the chip, and the operators of its runtime', () => {
    const source = `import torch_npu
from vllm_ascend.utils import AscendDeviceType, get_ascend_device_type, is_310p
print(get_ascend_device_type() == AscendDeviceType.A5, is_310p())
print(hasattr(torch_npu, "npu_add_rms_norm"), hasattr(torch_npu, "npu_add_rms_norm_dynamic_mx_quant"))`
    expect(printed(source, { ...SM90, platform: 'ascend-a5' })).toEqual(['True False', 'True True'])
    expect(printed(source, { ...SM90, platform: 'ascend-910b' })).toEqual(['False False', 'True False'])
    const { failure } = py.run(source)
    expect(failure).toMatchObject({
      type: 'RuntimeError',
      message: "the environment's platform is cuda-sm90: it has no Ascend device",
    })
  })

  test('missing vLLM modules are stubbed; user files in a package of that name take precedence', () => {
    const run = py.run([
      { name: 'vllm/compilation/noop.py', text: 'WHERE = "mine"' },
      {
        name: 'main.py',
        text: `from vllm.compilation.noop import WHERE
from vllm.platforms import current_platform
from vllm.lora import request
print(WHERE, current_platform.is_cuda(), request)`,
      },
    ])
    expect(run.failure).toBeNull()
    expect(run.console.map((c) => c.text).join('')).toContain('mine True <stub vllm.lora.request>')
    expect(run.stubs).toMatchObject([{ module: 'vllm.lora', asked: ['request'] }])
  })
})
