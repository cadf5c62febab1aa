/** Each run begins in the state after the start: what user code did to Python is gone, and costs its own run only. */
import { beforeAll, describe, expect, it } from 'vitest'
import { PATCHES, SHADOWING } from './testing/hostile/patches'
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

const PATTERN = `${HEAD}register_replacement(lambda x: torch.relu(x) + 1, lambda x: x, [torch.empty(4)], fwd_only, patterns)\n`

/** A run that finds Python as it was: standard modules, files, hooks, our own functions. */
const ORACLE = `import builtins, gc, json, os, signal, socket, sys, threading
import dis, inspect, types, xml.dom.minidom
import torch.nn.functional
from torch._inductor.pattern_matcher import PatternMatcherPass, register_replacement, fwd_only
assert isinstance(json.loads(json.dumps([1])), list) and builtins.isinstance is not None
assert inspect.signature and types.FunctionType and not hasattr(torch, 'x')
assert not sys.stdout.closed and sys.gettrace() is None
assert os.listdir('/tmp') == [] and os.getcwd() == '/home/pyodide' and os.path.getsize('/lib/python314.zip') > 10**6
assert not gc.callbacks and threading.active_count() == 1
assert 'spy' not in repr(sys.meta_path) + repr(sys.path_hooks)
assert torch.nn.functional.silu(torch.empty(4)).shape == (4,)
print(socket.gethostbyname('any.example'), os.fstat(os.open('/tmp', os.O_RDONLY)).st_ino, os.fstat(os.pipe()[0]).st_ino)
print(len(sys.modules), sys.path, sys.getrecursionlimit(), sys.excepthook.__name__, sys.displayhook, signal.getsignal(14))
${PATTERN}`

describe('a run after', () => {
  /** What the oracle prints in the state after the start. */
  let clean: unknown
  beforeAll(async () => {
    clean = (await start()).run(ORACLE).console
  })

  it.each(PATCHES)('%s', async (code, failure) => {
    const py = await start()
    const { failure: seen } = py.run(`${PATTERN}${code}\n`)
    if (failure === null) expect(seen).toBeNull()
    else expect(seen && `${seen.type}: ${seen.message}`).toMatch(failure)
    const after = py.run(ORACLE)
    expect(after.failure).toBeNull()
    expect(after.console).toEqual(clean)
    expect(py.registrations).toHaveLength(1)
    expect(py.trace(py.registrations[0]!).size).toBe(4)
  })

  it.each(SHADOWING)('a file called %s', async (name) => {
    const py = await start()
    const files = [
      { name, text: 'x = 1\n' },
      { name: 'p.py', text: PATTERN },
    ]
    expect(py.run(files)).toMatchObject({ failure: null, files: [{}, { registered: 1 }] })
    expect(py.run(ORACLE).failure).toBeNull()
  })
})
