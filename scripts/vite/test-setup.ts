/** Runs before each test file (vite.config.ts). */
import { afterAll, afterEach, beforeEach } from 'vitest'
import { FIX_BUDGET } from '../../src/explain/fixes/search'
import { PASS_BUDGET } from '../../src/explain/pace'
import { assignedPythonCount, releasePython } from '../../src/python/testing/shared_python'

// The load of the machine must not affect the causes and fixes that a test gets.
PASS_BUDGET.ms = Infinity
FIX_BUDGET.ms = Infinity
FIX_BUDGET.numbersMs = Infinity
FIX_BUDGET.checkMs = 10_000

// Releases Python after the test, or the file, that used it.
let ofFile = 0
beforeEach(() => {
  ofFile = assignedPythonCount()
})
afterEach(() => releasePython(ofFile))
afterAll(() => releasePython())
