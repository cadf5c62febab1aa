/** What crosses from Python is bounded and says what was cut; what ends Python is named as what it is. */
import { describe, expect, it } from 'vitest'
import { cutText, parseAnswer, parseCall, withStringsCut } from './bounds'
import { start } from './testing/start'

describe('messages', () => {
  const message = (characters: number): string => JSON.stringify({ ok: ['short', 'x'.repeat(characters)] })

  it('keep answers whole up to the limit of a message', () => {
    expect(parseAnswer(message(100_001))).toEqual(JSON.parse(message(100_001)))
    expect(parseAnswer(' '.repeat(15_999_999) + '1')).toBe(1)
    expect(() => parseAnswer(' '.repeat(16_000_001))).toThrow('a message of 16,000,001 characters exceeds the limit')
  })

  it('refuse a long string in a call', () => {
    expect(parseCall(message(100_000))).toEqual(JSON.parse(message(100_000)))
    expect(() => parseCall(message(100_001))).toThrow('a string of 100,001 characters exceeds the limit of 100,000')
  })

  it('cut what people read', () => {
    const read = { failure: { message: 'x'.repeat(100_007), frames: [['y'.repeat(100_000), 3, null]] } }
    expect(withStringsCut(read)).toEqual({
      failure: {
        message: `${'x'.repeat(100_000)}… (7 more characters)`,
        frames: [['y'.repeat(100_000), 3, null]],
      },
    })
    expect(cutText('abc', 3)).toBe('abc')
    expect(cutText('abcd', 3)).toBe('abc… (1 more characters)')
  })
})

/** A file that registers one pattern among functions of about 60 characters each. */
const fileOf = (functions: number): string =>
  [
    'import torch',
    'from torch._inductor.pattern_matcher import *',
    'p = PatternMatcherPass()',
    '@register_graph_pattern(CallFunction(torch.ops.aten.relu.default, KeywordArg("x")), pass_dict=p)',
    'def f(match, x): pass',
    ...Array.from({ length: functions }, (_, i) => `def fn_${i}(a, b):\n    c = a + ${i}\n    return [c, b, "${i}"]`),
  ].join('\n')

describe('a long file', () => {
  it.each([
    ['of a few functions', fileOf(10), true],
    // Their code takes over 100,000 characters as text.
    ['of 600 functions', fileOf(600), true],
    // Its code is too long to be kept, and its syntax tree is longer than a message.
    ['with a literal of 15 million characters', `${fileOf(1)}\nx = "${'x'.repeat(15_000_000)}"`, false],
  ])('%s runs again', async (_, text, hasTree) => {
    const py = await start()
    for (let i = 0; i < 3; i++) {
      const { failure, passes } = py.run([
        { name: 'long.py', text },
        { name: 'edited.py', text: `x = ${i}` },
      ])
      expect(failure).toBeNull()
      expect(passes).toHaveLength(1)
    }
    expect(py.host.syntax(text) !== null).toBe(hasTree)
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
