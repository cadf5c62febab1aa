/** Registration loops in many styles; used by tests only. */

const GRID = 'for eps in (1e-5, 1e-6):\n  for power in (2, 3):\n    for flag in (True, False):\n'

/** [description of the loop, its code, `class: axes (leaves)`]. */
export const WAYS: [string, string, string[]][] = [
  [
    'closures from a factory',
    `def make(e, p, f):
    def search(x): return aten.add(aten.pow(x, p), e) if f else aten.add(e, aten.pow(x, p))
    return search
${GRID}      add(make(eps, power, flag), lambda x: x)`,
    ['make: eps, power, flag (8)'],
  ],
  [
    'a class whose attributes and loop variables have different names',
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
    'module-level lambdas',
    `${GRID}      add(lambda x, eps_=None: aten.relu(x + eps) * power if flag else x * power - eps, lambda x, eps_=None: x, 2)`,
    ['lambda: eps, power, flag (8)'],
  ],
  [
    'itertools.product with an index',
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
    'data classes, one of which has a name',
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
    'objects whose repr contains an address',
    `class Quantizer:
    def __init__(self, bits, signed): self.bits, self.signed = bits, signed
class Fuse:
    def __init__(self, quantizer, act): self.quantizer, self.act = quantizer, act
    def register(self):
        def search(x):
            y = aten.mul(x, self.quantizer.bits)
            return self.act(aten.neg(y) if self.quantizer.signed else y)
        add(search, lambda x: x)
for act in (torch.relu, torch.sigmoid):
    for bits in (4, 8):
        for signed in (True, False):
            Fuse(Quantizer(bits, signed), act).register()`,
    ['Fuse: act, bits, signed (8)'],
  ],
  [
    'instances created first, registered later',
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
    'class attributes of subclasses, registered by class methods',
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
    'separate calls, and a while loop',
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
  [
    'a generator expression',
    `def one(a, b, c):
    def search(x): return aten.add(aten.mul(x, a), b) if c else aten.add(b, aten.mul(x, a))
    add(search, lambda x: x)
any(one(a, b, c) for a in (1, 2) for b in (3, 4) for c in (True, False))`,
    ['one: a, b, c (8)'],
  ],
  [
    'starmap without a loop',
    `def one(kind, amount):
    add(lambda x: getattr(aten, kind)(x * amount), lambda x: x)
list(itertools.starmap(one, itertools.product(['relu', 'neg'], [1, 2, 3])))`,
    ['one: kind, amount (6)'],
  ],
  [
    'a class body',
    `class Fusion:
    for kind in ('relu', 'neg'):
        for scale in (2, 3):
            add(functools.partial(lambda n, s, x: getattr(aten, n)(x * s), kind, scale), lambda x: x)`,
    ['Fusion.lambda: kind, scale (4)'],
  ],
  [
    'graph patterns by a decorator',
    `for outer in (aten.relu.default, aten.neg.default):
    for inner in (aten.sin.default, aten.cos.default):
        @register_graph_pattern(CallFunction(outer, CallFunction(inner, KeywordArg('x'))), pass_dict=patterns)
        def handler(match, x): pass`,
    ['handler: outer, inner (4)'],
  ],
  [
    'functions collected by a decorator',
    `COLLECTED = []
def factory(eps, mode):
    @COLLECTED.append
    def pattern(x): return {'r': aten.relu, 'n': aten.neg}[mode](x + eps)
for eps in (1e-5, 1e-6):
    for mode in 'rn':
        factory(eps, mode)
for fn in COLLECTED:
    add(fn, fn)`,
    ['factory: eps, mode (4)'],
  ],
  [
    'objects that raise on every attribute access',
    `class Evil:
    def __init__(self, k): self.k = k
    def __repr__(self): raise RuntimeError('no')
    def __eq__(self, other): raise RuntimeError('no')
    __hash__ = None
    def __getattr__(self, name): raise ValueError(name)
class Closed:
    def __getattribute__(self, name): raise KeyError(name)
circle = []
circle.append(circle)
def make(evil, closed, ring):
    def search(x): return x * evil.k if closed is not ring else x
    return search
for evil in (Evil(2), Evil(3)):
    add(make(evil, Closed(), circle), lambda x: x)`,
    ['make: evil.k (2)'],
  ],
]
