/** `fusescope trace`: the graph of a model's source, whose program goes on below it. */
import { expect, it } from 'vitest'
import { complaint, file, fusescope, ownFolder } from '../testing/program'

const outputOf = async (...args: string[]): Promise<string> => (await fusescope(...args)).out

ownFolder()

const ISSUE = `It fails:
\`\`\`python
class Layer(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.w = nn.Parameter(torch.ones(4))
        self.scale = scale

    def forward(self, x):
        return F.relu(x * self.w) + self.scale

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Layer(2)

    def forward(self, x):
        return self.layer(x)

data = load_my_data()
\`\`\`
Why?
`

it('is printed, of the first model that no other one uses, or of the given one', async () => {
  const source = file('issue.md', ISSUE)
  const graph = await outputOf('trace', '--source', source)
  expect(graph).toContain('get_attr[target=layer.w]')
  expect(graph).toMatch(/^graph\(\):\n {4}%x : .*\n {4}return add\n?$/s)
  expect(await outputOf('trace', '--source', source, '--of', 'Layer(3)')).toContain('(args = (%relu, 3)')
})

it('is refused with where and why', async () => {
  expect(await complaint('trace', '--source', file('none.py', 'x = 1\n'))).toContain(
    'no class with a forward was found',
  )
  expect(await complaint('trace', '--source', file('a.md', ISSUE), '--of', 'Layer()')).toContain('missing 1 required')
})
