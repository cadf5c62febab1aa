import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatPython } from '../../../scripts/check-python.mjs'
import { readPython } from '../../../scripts/arrows/sources.mjs'
import { root } from '../../../scripts/lib.mjs'
import { printedBy, start } from '../testing/start'
import { answerCall } from './answer'
import { engineModule } from './python_text'
import { PYTHON_SIGNATURES, TO_ENGINE, type EngineCall } from './table'
import { pythonSignature, signatureOf } from './types'

type Fields = Readonly<Record<string, unknown>>

test('lib/_fusescope/engine.py is the table', () => {
  const text = readFileSync(join(root, 'src/python/lib/_fusescope/engine.py'), 'utf8')
  expect(text, 'run `npm run tables`').toBe(formatPython(engineModule()))
})

test('the handlers in Python have the signatures of the table', async () => {
  const py = await start()
  const printed = printedBy(
    py,
    `import annotationlib, inspect, json
from _fusescope import host
signatures = {k: inspect.signature(f, annotation_format=annotationlib.Format.STRING) for k, f in host._HANDLERS.items()}
print(json.dumps({k: str(s) for k, s in signatures.items()}))`,
  )
  const expected = Object.entries(PYTHON_SIGNATURES).map(([kind, written]) => [kind, pythonSignature(written)])
  expect(JSON.parse(printed.replaceAll("'", ''))).toEqual(Object.fromEntries(expected))
})

test('our Python calls every function of the table, each with its number of arguments', async () => {
  const { host } = await start()
  const used = new Set<string>()
  for (const { file, text } of readPython(join(root, 'src/python/lib'))) {
    if (!text.includes('engine.')) continue
    const nodes = host.syntax(text)!
    const of = (field: unknown): Fields => nodes[(field as { n: number }).n]![2]
    const nameOf = (fields: Fields): unknown =>
      'value' in fields && of(fields.value).id === 'engine' ? fields.attr : undefined
    for (const [type, , fields] of nodes) {
      if (type === 'Attribute') used.add(String(nameOf(fields)))
      const kind = type === 'Call' && 'attr' in of(fields.func) ? nameOf(of(fields.func)) : undefined
      if (kind === undefined) continue
      const { parameters } = signatureOf(TO_ENGINE[kind as EngineCall])
      expect(`${file}: ${String(kind)} ${(fields.args as []).length}`).toBe(
        `${file}: ${String(kind)} ${parameters.length}`,
      )
    }
  }
  // bridge.op sends `op`; graph.py sends `graph_become` by `edit`, with lines of its own.
  for (const kind of Object.keys(TO_ENGINE)) if (kind !== 'op' && kind !== 'graph_become') expect(used).toContain(kind)
})

test.each([
  ['an unknown kind', 'constructor', [], 'unknown call constructor'],
  ['too few arguments', 'node_before', ['a'], 'the call node_before takes (key: str, other: str) -> bool, not ["a"]'],
  ['another type', 'graph_size', ['a'], 'the call graph_size takes (number: int | None) -> int, not ["a"]'],
])('%s is refused', (_, kind, payload, message) => {
  const handlers = { node_before: () => true, graph_size: () => 1 }
  expect(() => answerCall(handlers, kind, payload)).toThrow(message)
})

test('a signature names types of the table only', () => {
  expect(() => signatureOf('(key: string) -> None')).toThrow('string is not a type of calls')
})
