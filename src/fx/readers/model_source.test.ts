import { expect, it } from 'vitest'
import { modelSource, tracingProgram } from '..'

const A = 'class A(torch.nn.Module):\n    def forward(self, x):\n        return x\n'
const B =
  'class B(torch.nn.Module):\n    def __init__(self):\n        self.a = A()\n\n    def forward(self, x):\n        return self.a(x)\n'

it.each([
  ['a program, up to its last class', `import torch\n\n${A}\nrun(A())\n`, true, `import torch\n\n${A}`, 'A'],
  ['the class that no other one uses', `${A}\n${B}`, true, `${A}\n${B}`, 'B'],
  ['programs in a text', `It fails:\n\`\`\`\n${A}\`\`\`\nand\n\`\`\`\n${B}b = B()\n\`\`\`\n`, false, `${A}\n${B}`, 'B'],
  ['no model', 'import torch\nx = 1\n', true, 'import torch\nx = 1\n', null],
])('%s', (_, text, whole, program, model) => {
  const found = modelSource(text, whole)
  expect([found.program.trimEnd(), found.model]).toEqual([program.trimEnd(), model])
})

it('the program prints a line and the graph', () => {
  expect(tracingProgram({ program: A, model: 'A' }, 'A()', 'Graph:').split('\n').slice(-3)).toEqual([
    'print("Graph:")',
    'print(torch.fx.symbolic_trace(A()).graph)',
    '',
  ])
})
