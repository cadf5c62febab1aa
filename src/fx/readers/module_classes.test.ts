import { describe, expect, test } from 'vitest'
import { read } from './read'

const CODE = `def forward(self, x):
    fc = self.fc(x);  x = None
    layers_1_act = getattr(self.layers, "1").act(fc);  fc = None
    gate = self.gate(layers_1_act);  layers_1_act = None
    return gate
`
const TREE = `GraphModule(
  (fc): QuantLinear(in_features=8, out_features=4, bias=True)
  (layers): Module(
    (0-1): 2 x Block(
      (act): ReLU()
    )
  )
  (gate): Linear(in_features=4, out_features=4, bias=True)
)

`
const classes = (text: string): (readonly [string, string | undefined])[] =>
  [...read(text, 'graph.txt').graph.nodes()]
    .filter((n) => n.op === 'call_module')
    .map((n) => [n.target, n.meta.moduleClass])

describe('classes of modules', () => {
  test('print(gm) names them above the code', () => {
    expect(classes(TREE + CODE)).toEqual([
      ['fc', 'QuantLinear'],
      ['layers.1.act', 'ReLU'],
      ['gate', 'Linear'],
    ])
    expect(read(TREE + CODE, 'graph.txt').notes).toEqual([])
  })

  test('a text that does not name them: conventional names stand for a class, and a note says so', () => {
    expect(classes(CODE)).toEqual([
      ['fc', 'Linear'],
      ['layers.1.act', undefined],
      ['gate', undefined],
    ])
    expect(read(CODE, 'graph.txt').notes.map((n) => n.message)).toEqual([
      'This text does not name the classes of its modules, which PyTorch compares: Fusescope takes self.fc as Linear by name and matches no pattern of CallModule at self.layers.1.act and self.gate. Paste print(gm), whose first lines name them.',
    ])
  })

  test('what torch.export writes into each module needs no note', () => {
    const text = 'def forward(self, x):\n    _guards_fn = self._guards_fn(x);  _guards_fn = None\n    return x\n'
    expect(classes(text)).toEqual([['_guards_fn', 'GuardsFn']])
    expect(read(text, 'graph.txt').notes).toEqual([])
  })

  test('a numbered normalization after images', () => {
    expect(classes('def forward(self, x):\n    bn1 = self.bn1(x);  x = None\n    return bn1\n')).toEqual([
      ['bn1', 'BatchNorm2d'],
    ])
  })
})
