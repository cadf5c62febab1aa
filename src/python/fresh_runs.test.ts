/** Runs are isolated: consecutive workspaces give the same results as separate ones. */
import { describe, expect, it } from 'vitest'
import { start } from './testing/start'

const HEAD = 'import torch\nfrom torch._inductor.pattern_matcher import *\npatterns = PatternMatcherPass()\n'

/** Workspaces that read, import, patch or fill state that runs share. */
const WORKSPACES: Readonly<Record<string, string>> = {
  'reads a module that is not imported': `${HEAD}torch.utils.tensorboard.SummaryWriter(__name__, "fusion")\n`,
  'imports it': `${HEAD}import torch.utils.tensorboard\nlog = torch.utils.tensorboard.SummaryWriter(__name__, "fusion")\n`,
  'patches torch': `${HEAD}torch.relu = None\ntorch.Tensor.twice = lambda self: self * 2\ntorch.ops.aten.sin = 3\n`,
  'needs unpatched torch': `${HEAD}assert torch.relu is not None and not hasattr(torch.Tensor, "twice") and torch.ops.aten.sin != 3\n`,
  'patches the standard library': `${HEAD}import logging, math, os, random, sys, warnings
math.pi = 3
os.environ["FUSION"] = "1"
sys.path.append("/nowhere")
sys.modules["mine"] = torch
warnings.simplefilter("ignore")
logging.getLogger("fusion").setLevel(10)
random.seed(1)
`,
  'needs the unpatched standard library': `${HEAD}import logging, math, os, sys, warnings
assert math.pi > 3.1 and "FUSION" not in os.environ and "/nowhere" not in sys.path and "mine" not in sys.modules
assert logging.getLogger("fusion").level == 0
`,
  'sets the configuration': `${HEAD}from torch._inductor import config
from torch._dynamo.utils import counters
config.max_autotune = True
counters["inductor"]["seen"] += 1
torch.set_default_dtype(torch.float16)
`,
  'needs the default configuration': `${HEAD}from torch._inductor import config
from torch._dynamo.utils import counters
assert not config.max_autotune and not counters and torch.empty(1).dtype is torch.float32
`,
  'declares an operator': `${HEAD}torch.library.define("mine::op", "(Tensor x) -> Tensor")\n`,
  'imports a package that is missing': `${HEAD}import somewhere.fusion as f\nprint(f.name)\n`,
  'patches a package of vLLM': `${HEAD}from vllm.platforms import current_platform\ncurrent_platform.is_cuda = lambda: False\n`,
  'needs that package unpatched': `${HEAD}from vllm.platforms import current_platform\nassert current_platform.is_cuda()\n`,
  'registers a pattern': `${HEAD}register_replacement(lambda x: torch.relu(x) + 1, lambda x: x, [torch.empty(4)], fwd_only, patterns)\n`,
}

describe('consecutive runs', () => {
  it('give the same results as separate runs', async () => {
    const names = Object.keys(WORKSPACES)
    const resultOf = (started: Awaited<ReturnType<typeof start>>, name: string): unknown => {
      const { failure, stubs, asked, passes, console } = started.run(WORKSPACES[name]!)
      return { failure, stubs, asked, passes, console }
    }
    const alone = new Map<string, unknown>()
    const shared = await start()
    // In the order above, readers run before writers, so these results are free of leaks.
    for (const name of names) alone.set(name, resultOf(shared, name))
    const orders = [
      [...names].reverse(),
      ...[3, 5].map((step) => names.map((_, i) => names[(i * step) % names.length]!)),
    ]
    for (const order of orders)
      for (const [i, name] of order.entries())
        expect(resultOf(shared, name), `${name}, after: ${order[i - 1] ?? 'the others'}`).toEqual(alone.get(name))
    expect(alone.get('reads a module that is not imported')).toMatchObject({ failure: { type: 'AttributeError' } })
    for (const name of names.filter((n) => n !== 'reads a module that is not imported'))
      expect(alone.get(name), name).toMatchObject({ failure: null })
  })
})
