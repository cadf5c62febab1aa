/** Edits that are answered from the run before: random ones, compared with runs; and those that only a run may answer. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace'
import { isSameReport } from './edited_files'
import { Session } from './session'

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4, 8]", y: "f32[4, 8]"):
        add: "f32[4, 8]" = torch.ops.aten.add.Tensor(x, y)
        relu: "f32[4, 8]" = torch.ops.aten.relu.default(add)
        mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(relu, 2)
        sigmoid: "f32[4, 8]" = torch.ops.aten.sigmoid.default(mul)
        mul_1: "f32[4, 8]" = torch.ops.aten.mul.Tensor(sigmoid, 0.5)
        sub: "f32[4, 8]" = torch.ops.aten.sub.Tensor(mul_1, x)
        add_1: "f32[4, 8]" = torch.ops.aten.add.Tensor(sub, 3)
        return (add_1,)
`

const HELPERS = `import torch

SCALE = 2

def scaled(x):
    return x * SCALE

def halved(x, by=0.5):
    return torch.sigmoid(x) * by
`

const PASS = `import torch
from helpers import halved, scaled
from torch._inductor.pattern_matcher import Match, PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass()

class Scaled:
    def __init__(self, factor):
        self.factor = factor

    def register(self):
        def pattern(x):
            return torch.relu(x) * self.factor
        def replacement(x):
            return torch.clamp(x, 0, None) * self.factor
        register_replacement(pattern, replacement, [torch.empty(4, 8)], fwd_only, patterns)

def checked(match: Match):
    return match.nodes[0].meta["val"].shape[1] == 8

def search(x, y):
    return halved(x) - y

def replace(x, y):
    return torch.sigmoid(x) / 2 - y

for factor in [2, 3, 1.5]:
    Scaled(factor).register()
register_replacement(search, replace, [torch.empty(4, 8), torch.empty(4, 8)], fwd_only, patterns, checked)
register_replacement(lambda x: x + 3, lambda x: scaled(x) - 1, [torch.empty(4, 8)], fwd_only, patterns)
`

const workspace = (helpers: string, pass: string): Workspace => ({
  name: 'edited',
  graph: { name: 'graph.txt', text: GRAPH },
  files: [
    { name: 'helpers.py', text: helpers },
    { name: 'pass.py', text: pass },
  ],
  options: { timeLimitS: 60 },
})

/** Numbers from 0 up to 1, the same in each run of the test. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const EDITS: readonly ((text: string, at: (count: number) => number) => string)[] = [
  (text, at) => replacedOne(text, /\d/g, () => String(at(10)), at),
  (text, at) => replacedOne(text, /[-+*/](?= )/g, () => '+-*/'[at(4)]!, at),
  (text, at) =>
    replacedOne(text, /\b(?:relu|sigmoid|clamp|halved|scaled)\b/g, () => ['relu', 'sigmoid', 'halved'][at(3)]!, at),
  (text, at) => replacedOne(text, /$/gm, () => '  # a note', at),
  (text, at) => replacedOne(text, /\n(?= )/g, () => '\n\n', at),
  (text, at) => replacedOne(text, /.+\n/g, () => '', at),
  (text, at) => replacedOne(text, /\b[xy]\b/g, () => 'xy'[at(2)]!, at),
]

function replacedOne(text: string, what: RegExp, by: () => string, at: (count: number) => number): string {
  const found = [...text.matchAll(what)]
  if (found.length === 0) return text
  const { index, 0: old } = found[at(found.length)]!
  return text.slice(0, index) + by() + text.slice(index + old.length)
}

let session: Session
let other: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  other = new Session(nodeAssets())
  await Promise.all([session.ready, other.ready])
})

/** The answer to an edit as the page gets it, and whether it followed from the run before. */
function answered(edited: Workspace) {
  const answer = session.analyzeEdit(edited)
  return { report: (answer ?? session.analyze(edited)).report, followed: answer !== null }
}

describe('edits that follow from the run before', () => {
  it('get the report of a run: 200 random edits', { timeout: 300_000 }, () => {
    const random = numbers(7)
    const at = (count: number): number => Math.floor(random() * count)
    let [helpers, pass] = [HELPERS, PASS]
    session.analyze(workspace(helpers, pass))
    let followed = 0
    for (let i = 0; i < 200; i++) {
      const edit = EDITS[at(EDITS.length)]!
      const [nextHelpers, nextPass] = random() < 0.25 ? [edit(helpers, at), pass] : [helpers, edit(pass, at)]
      const edited = workspace(nextHelpers, nextPass)
      const answer = answered(edited)
      const run = other.analyze(edited).report
      if (answer.followed) followed++
      if (!isSameReport(answer.report, run)) {
        const { timings: _a, ...one } = answer.report
        const { timings: _b, ...two } = run
        expect({ pass: nextPass, helpers: nextHelpers, ...one }).toEqual({
          pass: nextPass,
          helpers: nextHelpers,
          ...two,
        })
      }
      // Texts that run are edited further, at times from the beginning.
      if (random() < 0.05) [helpers, pass] = [HELPERS, PASS]
      else if (!run.python) [helpers, pass] = [nextHelpers, nextPass]
    }
    expect(followed).toBeGreaterThan(40)
  })

  it('match, fail and match again in the flagship example', () => {
    const text = readFileSync(
      new URL('../../../public/examples/silu-mul-block-quant/workspace.json', import.meta.url),
      'utf8',
    )
    const flagship = JSON.parse(text) as Workspace
    const typed = (eps: string): Workspace => ({
      ...flagship,
      files: flagship.files.map((f) =>
        f.name === 'activation_quant_fusion.py' ? { ...f, text: f.text.replace('1e-10', eps) } : f,
      ),
    })
    session.analyze(typed('1e-10'))
    const counts = ['1e-11', '1e-1', '1e-10'].map((eps) => {
      const { report, followed } = answered(typed(eps))
      return [followed, report.passes[0]!.matches.length]
    })
    expect(counts).toEqual([
      [true, 0],
      [true, 0],
      [true, 32],
    ])
    expect(session.isUnconfirmed).toBe(true)
    expect(session.confirmed()).toBeNull()
    expect(session.isUnconfirmed).toBe(false)
    // Back at the run's text, its traces for matches hold.
    answered(typed('1e-11'))
    const trace = vi.spyOn(session.interpreter.host, 'trace')
    expect(answered(typed('1e-10')).report.passes[0]!.matches.length).toBe(32)
    expect(trace).not.toHaveBeenCalled()
    trace.mockRestore()
  })
})

describe('edits that only a run answers', () => {
  const refused: readonly [name: string, from: string, to: string][] = [
    ['code that ran while the file loaded', 'factor in [2, 3', 'factor in [2, 4'],
    ['a function that registers', 'fwd_only, patterns)\n\ndef checked', 'fwd_only,  patterns, )\nX = 1\ndef checked'],
    ['a moved function', 'def checked', '\ndef checked'],
    ['other parameters', 'def search(x, y):\n    return halved(x) - y', 'def search(x, z):\n    return halved(x) - z'],
    ['the text of a lambda', 'lambda x: x + 3', 'lambda x: x + 4'],
    ['a text that does not compile', 'halved(x) - y', 'halved(x) - '],
    ['a pattern that raises', 'halved(x) - y', 'halved(x) - z'],
  ]
  it.each(refused)('%s', (_, from, to) => {
    session.analyze(workspace(HELPERS, PASS))
    expect(PASS).toContain(from)
    expect(session.analyzeEdit(workspace(HELPERS, PASS.replace(from, to)))).toBeNull()
  })

  it('another graph, another environment, and the same text again', () => {
    const base = workspace(HELPERS, PASS)
    session.analyze(base)
    const edited = PASS.replace('relu(x)', 'sigmoid(x)')
    const files = workspace(HELPERS, edited).files
    expect(session.analyzeEdit({ ...base, files, graph: { name: 'g', text: GRAPH } })).toBeNull()
    expect(session.analyzeEdit({ ...base, files, passes: ['patterns'] })).toBeNull()
    expect(session.analyzeEdit(base)).toBeNull()
    expect(session.analyzeEdit({ ...base, files })).not.toBeNull()
  })

  it('a pattern that prints', () => {
    session.analyze(workspace(HELPERS, PASS))
    const printing = HELPERS.replace('return torch', 'print(1); return torch')
    expect(session.analyzeEdit(workspace(printing, PASS))).toBeNull()
  })

  it('one whose answer was wrong: its run replaces the report', () => {
    const counting = (by: string): Workspace =>
      workspace(
        `${HELPERS.replace('return x * SCALE', `counts.append(1)\n    return x ${by} len(counts)`)}\ncounts = []\n`,
        PASS,
      )
    session.analyze(counting('+'))
    const { report, followed } = answered(counting('*'))
    expect(followed).toBe(true)
    const whole = session.confirmed()?.report ?? report
    expect(isSameReport(whole, other.analyze(counting('*')).report)).toBe(true)
  })
})
