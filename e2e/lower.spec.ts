/** A graph recorded before Inductor's decompositions: the cause is named, and lowering the graph makes the pattern fire. */
import { expect, onePage as test, SMALL } from './fixtures'

const DYNAMO = `class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "bf16[48, 256]", L_w_: "bf16[256, 256]"):
        l_x_ = L_x_
        l_w_ = L_w_
        linear: "bf16[48, 256]" = torch._C._nn.linear(l_x_, l_w_, None)
        to: "f32[48, 256]" = linear.to(torch.float32)
        mul: "f32[48, 256]" = to * 2
        return (mul,)
`

const PATTERN = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

scale_pass = PatternMatcherPass()

def search(x):
    return x.to(torch.float32) * 2

def replace(x):
    return torch.ops.mine.scaled.default(x)

lib = torch.library.Library("mine", "FRAGMENT")
lib.define("scaled(Tensor x) -> Tensor")

@torch.library.impl(lib, "scaled", "Meta")
def scaled_meta(x):
    return torch.empty_like(x, dtype=torch.float32)

register_replacement(search, replace, [torch.empty(5, 8, dtype=torch.bfloat16)], fwd_only, scale_pass)
`

test('a pattern that Dynamo’s graph cannot hold fires once the graph is lowered', async ({ app, page }) => {
  await app.open(SMALL)
  await app.pythonReady()
  await page.locator('select', { hasText: 'Empty workspace' }).first().selectOption({ label: 'Empty workspace' })
  await app.drop('dynamo.txt', DYNAMO)
  await app.drop('scale.py', PATTERN)
  await app.panel('whynot')
  const cause = page.getByTestId('pass-cause').filter({ hasText: 'This graph is Dynamo’s' })
  await expect(cause).toContainText('.to')
  await cause.getByRole('button', { name: 'Lower the graph' }).click()
  await expect(app.status).toContainText('1 match')
  await expect(page.getByRole('tab', { name: /dynamo\.lowered\.txt/ })).toBeVisible()
})
