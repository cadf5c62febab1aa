import { describe, expect, it } from 'vitest'
import { bundledModules } from './bundled'

const library = {
  'torch/__init__.py': '',
  '_fusescope/__init__.py': '',
  '_fusescope/stubs.py': 'import sys\n',
  'vllm/__init__.py': '',
  'vllm/config.py': 'def f():\n    from .platforms import (\n        current,  # the platform\n    )\n',
  'vllm/platforms/__init__.py': 'from . import rocm\n',
  'vllm/platforms/rocm.py': 'import torch\n',
  'vllm/old.py': 'moved(__name__, "vllm.new")\n',
  'vllm/new.py': '',
  'vllm/unused.py': '',
}

describe('bundled modules', () => {
  it('are those that the files import, with all that these import', () => {
    const bundled = bundledModules(library, ['from vllm.config import VllmConfig'], new Set(), ['_fusescope.stubs'])
    expect(Object.keys(bundled)).toEqual([
      '_fusescope/__init__.py',
      '_fusescope/stubs.py',
      'vllm/__init__.py',
      'vllm/config.py',
      'vllm/platforms/__init__.py',
      'vllm/platforms/rocm.py',
    ])
  })

  it('include modules that strings name, and leave out those that the files define', () => {
    const bundled = bundledModules(library, ['import vllm.old'], new Set(['vllm.new']), [])
    expect(Object.keys(bundled)).toEqual(['vllm/__init__.py', 'vllm/old.py'])
  })

  it('are none for files that import torch only', () => {
    expect(bundledModules(library, ['import torch, os'], new Set(), ['_fusescope.stubs'])).toEqual({})
  })
})
