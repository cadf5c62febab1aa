/** Runs before each test file (vite.config.ts). */
import { afterAll, afterEach, beforeEach } from 'vitest'
import { FIX_BUDGET } from '../../src/explain/fixes/search'
import { PASS_BUDGET } from '../../src/explain/pace'
import { lentPython, takePythonBack } from '../../src/python/testing/shared_python'

// How busy the machine is must not decide which causes and repairs a test sees.
PASS_BUDGET.ms = Infinity
FIX_BUDGET.ms = Infinity

// Python goes back after the test, or the file, whose host had it.
let ofFile = 0
beforeEach(() => {
  ofFile = lentPython()
})
afterEach(() => takePythonBack(ofFile))
afterAll(() => takePythonBack())
