/** Runs before each test file (vite.config.ts). */
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { FIX_BUDGET } from '../../src/explain/fixes/search_clock'
import { PASS_BUDGET } from '../../src/explain/pace'
import { assignedPythonCount, releasePython } from '../../src/python/testing/shared_python'

// The load of the machine must not affect the causes and fixes that a test gets.
PASS_BUDGET.ms = Infinity
FIX_BUDGET.ms = Infinity
FIX_BUDGET.numbersMs = Infinity
FIX_BUDGET.checkMs = 10_000

// A module that another file of the worker has loaded is not replaced by vi.mock: the test would depend on the order
// of the files.
vi.mock = vi.doMock = () => {
  throw new Error('vi.mock has no effect on modules that are loaded (isolate: false); use vi.spyOn(module, name).')
}

// Releases Python after the test, or the file, that used it.
let ofFile = 0
beforeEach(() => {
  ofFile = assignedPythonCount()
})
afterEach(() => releasePython(ofFile))
afterAll(() => releasePython())

// All test files of a worker share one world (isolate: false): what a file leaves in globals and stores ends with it.
afterAll(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  if (!expect.getState().testPath?.includes('/src/app/')) return
  const { closeAfterTest } = await import('../../src/app/testing/render')
  closeAfterTest()
})
