/** What crosses from Python is bounded and says what was cut; what ends Python is named as what it is. */
import { describe, expect, it } from 'vitest'
import { cutText, parseAnswer, parseCall } from './bounds'
import { start } from './testing/start'

describe('messages', () => {
  it('cut long strings of answers, and refuse them in calls', () => {
    const text = JSON.stringify({ ok: ['short', 'x'.repeat(100_007)] })
    expect(parseAnswer(text)).toEqual({ ok: ['short', `${'x'.repeat(100_000)}… (7 more characters)`] })
    expect(() => parseCall(text)).toThrow('a string of 100,007 characters exceeds the limit of 100,000')
    expect(() => parseAnswer(' '.repeat(16_000_001))).toThrow('a message of 16,000,001 characters exceeds the limit')
    expect(cutText('abc', 3)).toBe('abc')
  })
})

const STOPPED = 'Python has stopped and must be started again'

/** Code of a run → its failure, as type and message. */
const ENDS: readonly (readonly [code: string, failure: string | RegExp])[] = [
  ['raise ValueError("x" * 10**8)', `ValueError: ${'x'.repeat(10_000)}… (99,990,000 more characters)`],
  ['import sys\nsys.exit("x" * 10**7)', `SystemExit: ${'x'.repeat(10_000)}… (9,990,000 more characters)`],
  ['class E(Exception):\n  def __str__(self): return 5\nraise E', 'E: <str() of the exception raised TypeError>'],
  ['import os\nos._exit(3)', `SystemExit: the code ended Python with status 3: ${STOPPED}`],
  ['import os\nos.abort()', `SystemError: the code aborted Python (a fatal error or a signal): ${STOPPED}`],
  ['import faulthandler\nfaulthandler._sigsegv()', /^SystemError: the code (aborted|crashed) Python/],
  ['x = []\nfor _ in range(100000): x = [x]\nrepr(x)', /^RecursionError: the code nested calls or values too deeply/],
  ['x = [0] * 10**9', 'MemoryError: '],
  [
    'import torch\ntorch.library.define("m::" + "x" * 10**6, "(Tensor x) -> Tensor")',
    /a string of 1,000,020 characters/,
  ],
  [
    'from _fusescope import host\nhost.handle = None\nhost._HANDLERS["run"] = lambda *a: 3\nraise ValueError("kept")',
    /kept/,
  ],
]

describe('a run', () => {
  it.each(ENDS)('%s', async (code, expected) => {
    const py = await start()
    const { failure } = py.run(code)
    const text = `${failure?.type}: ${failure?.message}`
    if (typeof expected === 'string') expect(text).toBe(expected)
    else expect(text).toMatch(expected)
    expect(failure!.traceback.length).toBeLessThan(25_000)
    if (!py.host.broken) expect(py.run('print(1)').failure).toBeNull()
  })

  it('prints at most 20,000 characters of a line, and says how many more', async () => {
    const py = await start()
    const { console } = py.run('print("x" * 10**8)\nprint("after")')
    expect(console[0]!.text.length).toBeLessThan(20_100)
    expect(console[0]!.text).toMatch(/ more characters\)$/)
  })

  it('sleeps, and leaves the next run whole', async () => {
    const py = await start()
    expect(
      py.run('import time\nt = time.monotonic()\ntime.sleep(0.05)\nprint(time.monotonic() - t > 0.04)').console,
    ).toEqual([{ stream: 'stdout', text: 'True' }])
    expect(py.run('print(1)').failure).toBeNull()
  })
})
