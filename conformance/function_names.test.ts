/** The names under which graphs show PyTorch's functions, and which of them are one object, as recorded. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { printedBy, start } from '../src/python/testing/start'

test('each function is named by its home, is found by that name, and is shared as in PyTorch', async () => {
  const recorded = JSON.parse(readFileSync(new URL('function_names.json', import.meta.url), 'utf8')) as Record<
    string,
    string
  >
  const py = await start()
  const text = `import importlib, json, torch
from _fusescope.graph.targets import fn_name, function
from _fusescope.stubs import Stub
recorded = json.loads(${JSON.stringify(JSON.stringify(recorded))})
kept, lacking = {}, 0
for path, home in recorded.items():
    if path == "torch.segment_reduce":  # PyTorch prints a name that torch has for another function
        continue
    module, _, name = path.rpartition(".")
    try:
        f = getattr(importlib.import_module(module), name)
    except AttributeError:
        f = None
    if f is None or isinstance(f, Stub):
        lacking += 1
        continue
    kept[path] = f
    try:
        other = function(home)
    except Exception as e:
        other = repr(e)
    if fn_name(f) != home or other is not f:
        print(path, home, fn_name(f), other)
homes = {}
for path, f in kept.items():
    if homes.setdefault(id(f), recorded[path]) != recorded[path]:
        print("shared", path, homes[id(f)])
print("lacking", lacking <= 67)
`
  const lines = printedBy(py, text).trim().split('\n')
  expect(lines).toEqual(['lacking True'])
}, 120_000)
