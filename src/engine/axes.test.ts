/** Registration loops written in many ways, run in the real Python: each draws its own tree. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../python/node_assets'
import type { PassReport, TreeNode } from './protocol'
import { Session } from './session'

const HEAD = `import dataclasses, enum, functools, itertools
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
aten = torch.ops.aten
patterns = PatternMatcherPass()
def add(search, replace, n=1, dtype=torch.float32):
    register_replacement(search, replace, [torch.empty(4, 4, dtype=dtype) for _ in range(n)], fwd_only, patterns)
`
let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
}, 60_000)

function run(code: string): { pass: PassReport; tree: TreeNode } {
  const graph = { name: 'g.txt', text: 'graph():\n    return ()\n' }
  const files = [{ name: 'p.py', text: HEAD + code }]
  const { report } = session.analyze({ name: 'w', graph, files, options: { timeLimitS: 10 } })
  if (report.python) throw new Error(report.python.traceback)
  return { pass: report.passes[0]!, tree: report.tree[0]! }
}

/** `class: axis, axis (leaves)`, a class after the other. */
const axes = (code: string): string[] => {
  const { pass, tree } = run(code)
  return tree.children.map((c) => {
    const entry = pass.entries.find((e) => e.title === c.label)!
    return `${c.label}: ${(entry.axes ?? []).join(', ')} (${c.leaves})`
  })
}

const leafLabels = (node: TreeNode): string[] =>
  node.kind === 'leaf' ? [node.label] : node.children.flatMap((c) => leafLabels(c).map((l) => `${node.label} / ${l}`))

const GRID = 'for eps in (1e-5, 1e-6):\n  for power in (2, 3):\n    for flag in (True, False):\n'

const WAYS: [string, string, string[]][] = [
  [
    'closures of a factory',
    `def make(e, p, f):
    def search(x): return aten.add(aten.pow(x, p), e) if f else aten.add(e, aten.pow(x, p))
    return search
${GRID}      add(make(eps, power, flag), lambda x: x)`,
    ['make: eps, power, flag (8)'],
  ],
  [
    'a class whose attributes have other names than the loops',
    `class Norm:
    def __init__(self, e, p, f): self.epsilon, self.power, self._flag = e, p, f
    def register(self):
        def search(x):
            y = aten.pow(x, self.power) + self.epsilon
            return aten.relu(y) if self._flag else y
        add(search, lambda x: x)
${GRID}      Norm(eps, power, flag).register()`,
    ['Norm: epsilon, power, flag (8)'],
  ],
  [
    'bound methods',
    `class Norm:
    def __init__(self, *args): self.eps, self.power, self.flag = args
    def search(self, x): return aten.relu(x + self.eps) * self.power if self.flag else x * self.power - self.eps
    def replace(self, x): return x
${GRID}      n = Norm(eps, power, flag); add(n.search, n.replace)`,
    ['Norm: eps, power, flag (8)'],
  ],
  [
    'functools.partial over positions',
    `def search(e, p, f, x): return aten.relu(x + e) * p if f else x * p - e
${GRID}      add(functools.partial(search, eps, power, flag), lambda x: x)`,
    ['search: eps, power, flag (8)'],
  ],
  [
    'lambdas at the top of the module',
    `${GRID}      add(lambda x, eps_=None: aten.relu(x + eps) * power if flag else x * power - eps, lambda x, eps_=None: x, 2)`,
    ['lambda: eps, power, flag (8)'],
  ],
  [
    'itertools.product with an index beside it',
    `def make(e, p, f):
    return lambda x: aten.relu(x + e) * p if f else x * p - e
for i, (eps, power, flag) in enumerate(itertools.product((1e-5, 1e-6), (2, 3), (True, False))):
    add(make(eps, power, flag), lambda x: x)`,
    ['make: eps, power, flag (8)'],
  ],
  [
    'a comprehension over a dictionary of dictionaries',
    `SCHEMES = {'fp8': {'g': [128, 64]}, 'int8': {'g': [32, 16]}}
def one(scheme, group, sign):
    def search(x): return aten.mul(x, group * sign)
    add(search, lambda x: x)
[one(name, group, sign) for name, options in SCHEMES.items() for group in options['g'] for sign in (1, -1)]`,
    ['one: name, group, sign (8)'],
  ],
  [
    'data classes, one of them named',
    `@dataclasses.dataclass
class Config:
    act: str
    bits: int
    eps: float
kFast = Config('relu', 8, 1e-3)
def register(cfg):
    def search(x): return getattr(aten, cfg.act)(x * cfg.bits + cfg.eps)
    add(search, lambda x: x)
for cfg in [Config(a, b, e) for a in ('relu', 'neg') for b in (4, 8) for e in (1e-3, 1e-5)]:
    register(cfg)`,
    ['register: cfg.act, cfg.bits, cfg.eps (8)'],
  ],
  [
    'enums, dtypes, None and operators',
    `class Round(enum.Enum):
    UP = 'up'
    DOWN = 'down'
class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2
def make(round_, level, out, op):
    def search(x):
        y = op(aten.ceil(x) if round_ is Round.UP else aten.floor(x)) * int(level)
        return y if out is None else y.to(out)
    return search
for op in (aten.relu.default, aten.neg.default):
    for out in (None, torch.float16):
        for round_ in Round:
            for level in Level:
                add(make(round_, level, out, op), lambda x: x)`,
    ['make: op, out, round_, level (16)'],
  ],
  [
    'objects whose repr holds an address',
    `class Quantiser:
    def __init__(self, bits, signed): self.bits, self.signed = bits, signed
class Fuse:
    def __init__(self, quantiser, act): self.quantiser, self.act = quantiser, act
    def register(self):
        def search(x):
            y = aten.mul(x, self.quantiser.bits)
            return self.act(aten.neg(y) if self.quantiser.signed else y)
        add(search, lambda x: x)
for act in (torch.relu, torch.sigmoid):
    for bits in (4, 8):
        for signed in (True, False):
            Fuse(Quantiser(bits, signed), act).register()`,
    ['Fuse: act, bits, signed (8)'],
  ],
  [
    'instances made first, registered later',
    `class Norm:
    def __init__(self, eps, power): self.eps, self.power = eps, power
    def search(self, x): return aten.pow(x, self.power) + self.eps
    def replace(self, x): return x
made = [Norm(e, p) for e in (1e-5, 1e-6, 1e-8) for p in (2, 3)]
for n in made:
    add(n.search, n.replace)`,
    ['Norm: eps, power (6)'],
  ],
  [
    'class attributes of subclasses, by class methods',
    `class Base:
    @classmethod
    def search(cls, x): return aten.pow(x, cls.power) + cls.eps
    @staticmethod
    def replace(x): return x
for power in (2, 3):
    for eps in (1e-5, 1e-6):
        cls = type('Norm', (Base,), {'power': power, 'eps': eps, '__module__': __name__})
        add(cls.search, cls.replace)`,
    ['Norm: power, eps (4)'],
  ],
  [
    'calls by hand, and a while loop',
    `def fuse(kind, amount):
    def search(x): return getattr(aten, kind)(x + amount)
    add(search, lambda x: x)
fuse('relu', 1)
fuse('relu', 2)
amount = 1
while amount < 3:
    fuse('neg', amount)
    amount += 1`,
    ['fuse: kind, amount (4)'],
  ],
  [
    'only the example inputs and strings with long common starts',
    `LONG = 'x' * 300
def fuse(label, dtype):
    def search(x): return (aten.relu if label.endswith('a') else aten.neg)(x + torch.ones(4, dtype=dtype))
    add(search, lambda x: x, 1, dtype)
for label in (LONG + 'a', LONG + 'b'):
    for dtype in (torch.float16, torch.bfloat16):
        fuse(label, dtype)`,
    ['fuse: label, dtype (4)'],
  ],
]

describe('axes', () => {
  it.each(WAYS)('of %s', (_, code, expected) => expect(axes(code)).toEqual(expected))

  it('are written as the user wrote them', () => {
    const { tree } = run(WAYS[8]![1])
    expect(leafLabels(tree.children[0]!)[0]).toBe(
      'make / op = aten.relu.default / out = None / round_ = Round.UP / level = Level.LOW',
    )
    expect(leafLabels(run(WAYS[0]![1]).tree.children[0]!).at(-1)).toBe('make / eps = 1e-6 / power = 3 / flag = False')
  })

  it('tell long values by where they differ', () => {
    const labels = run(WAYS[13]![1]).tree.children[0]!.children.map((c) => c.label.replace(/#\w{4}$/, '#'))
    expect(labels).toEqual(["label = …xxxxxxxxxxxxa' #", "label = …xxxxxxxxxxxxb' #"])
  })

  it('keep functions of one name apart, and each class of its own', () => {
    const code = `def main():
    def relu_add(x): return aten.relu(aten.add(x, x))
    def neg_add(x): return aten.neg(aten.add(x, x))
    add(relu_add, relu_add)
    add(neg_add, neg_add)
main()
def pattern(x): return aten.exp(x) + 1
add(pattern, pattern)
def pattern(x): return aten.log(x) + 1
add(pattern, pattern)`
    expect(run(code).tree.children.map((c) => c.label)).toEqual([
      'main.relu_add',
      'main.neg_add',
      'pattern, line 14',
      'pattern, line 16',
    ])
  })
})
