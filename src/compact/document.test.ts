import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decodeDocument, encodeDocument, type Document } from '.'
import { printGraph } from '../fx/printers/print_graph'
import { read } from '../fx/readers/read'
import { withoutComments } from './graph_text'
import type { Json } from './json_rows'
import { PRIMER } from './primer'
import { BitDecoder } from './range_coder'
import { VOCABULARY } from './vocabulary'
import { sha256 } from '../base/sha256'

const GRAPHS = 'conformance/graphs'
/** The larger ones are in bench/links.ts. */
const graphFiles = readdirSync(GRAPHS).filter((name) =>
  /^(?:fmt|hop|llama\.readable|vllm_like32\.|qwen2_dynamic)/.test(name),
)

async function roundTrip(document: Document, base: Document | null = null, comments = true) {
  const bytes = await encodeDocument(document, base, { comments })
  return { size: bytes.length, document: await decodeDocument(bytes, base) }
}

describe('graphs', () => {
  it.each(graphFiles)('%s comes back byte for byte', async (name) => {
    const texts = [readFileSync(`${GRAPHS}/${name}`, 'utf8')]
    const { document } = await roundTrip({ json: null, texts })
    expect(document.texts).toEqual(texts)
  })

  it('of many equal layers take hardly more than one layer', async () => {
    const layers = (n: number) => {
      const lines = ['graph():', '    %x : [num_users=2] = placeholder[target=x]']
      for (let i = 0; i < n; i++) lines.push(`    %w_${i} : [num_users=1] = placeholder[target=w_${i}]`)
      let last = 'x'
      for (let i = 0; i < n; i++) {
        const at = i === 0 ? '' : `_${i}`
        lines.push(
          `    %mm${at} : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%${last}, %w_${i}), kwargs = {})`,
          `    %relu${at} : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%mm${at},), kwargs = {})`,
          `    %add${at} : [num_users=${i === n - 1 ? 1 : 2}] = call_function[target=torch.ops.aten.add.Tensor](args = (%relu${at}, %${last}), kwargs = {alpha: 0.5})`,
        )
        last = `add${at}`
      }
      return [...lines, `    return (${last},)`].join('\n')
    }
    const [few, many] = [layers(4), layers(400)]
    expect(printGraph(read(many, 'many').graph)).toBe(many)
    const [a, b] = [await roundTrip({ json: 1, texts: [few] }), await roundTrip({ json: 1, texts: [many] })]
    expect(b.document.texts[0]).toBe(many)
    expect(b.size).toBeLessThan(a.size + 40)
  })

  it('with a second text of the same graph are coded once', async () => {
    const [fx, readable] = ['dense.graph.txt', 'dense.readable.txt'].map((name) => graphPair(name))
    const one = await roundTrip({ json: null, texts: [readable!] })
    const both = await roundTrip({ json: null, texts: [fx!, readable!] })
    expect(both.document.texts).toEqual([fx, readable])
    expect(both.size).toBeLessThan(one.size + 12)
  })

  it('without comments keep all but the comments', async () => {
    const text = graphPair('dense.readable.txt')
    const kept = await roundTrip({ json: null, texts: [text] })
    const { size, document } = await roundTrip({ json: null, texts: [text] }, null, false)
    expect(document.texts[0]).toBe(withoutComments(text))
    expect(size).toBeLessThan(kept.size)
  })
})

/** A pair of texts of one graph, printed by PyTorch's rules. */
function graphPair(name: string): string {
  const readable = [
    'class <lambda>(torch.nn.Module):',
    '    def forward(self, arg0_1: "bf16[48, 256][256, 1]cpu", arg1_1: "bf16[256, 512][512, 1]cpu"):',
    '        # File: /models/mlp.py:12 in forward, code: return torch.relu(x @ self.w)',
    '        mm: "bf16[48, 512][512, 1]cpu" = torch.ops.aten.mm.default(arg0_1, arg1_1);  arg0_1 = arg1_1 = None',
    '        relu: "bf16[48, 512][512, 1]cpu" = torch.ops.aten.relu.default(mm);  mm = None',
    '        return (relu,)',
    '',
  ].join('\n')
  return name.includes('readable') ? readable : `${printGraph(read(readable, name).graph)}\n`
}

describe('texts', () => {
  const texts = {
    empty: '',
    Python: 'def search(x: torch.Tensor) -> torch.Tensor:\n    return torch.ops.aten.relu.default(x)\n',
    'every character': String.fromCodePoint(...Array.from({ length: 700 }, (_, i) => i), 0x2028, 0x1f642, 0xfeff),
    'a graph that is not printed as PyTorch prints it':
      'graph():\n  %x : [num_users=0] = placeholder[target=x]\n  return x',
    'a long text': Array.from({ length: 9000 }, (_, i) => `line ${i * i} of ${i}`).join('\n'),
    'node names with a #': 'graph():\n    %a#1 : [num_users=0] = placeholder[target=a#1]\n    return None',
  }
  it.each(Object.entries(texts))('%s', async (_, text) => {
    expect((await roundTrip({ json: null, texts: [text, text] })).document.texts).toEqual([text, text])
  })

  it('that differ little from a text of the base take few bytes', async () => {
    const base = { json: null, texts: [PRIMER.repeat(2)] }
    const changed = PRIMER.replace('import', 'import  ') + PRIMER
    const { size, document } = await roundTrip({ json: null, texts: [changed] }, base)
    expect(document.texts).toEqual([changed])
    expect(size).toBeLessThan(40)
  })
})

describe('JSON', () => {
  const values: Json[] = [
    null,
    [],
    {},
    [{}, []],
    -1,
    2 ** 53,
    1.5e-300,
    'ä',
    '',
    { '': 1, 'a,b': 2, '%': 3, __proto__x: 4 },
    [
      { node: 'add_1', list: [1, 2, [3, 'mul_12']] },
      { node: 'add_2', list: [1, 2, [3, 'mul_13']] },
    ],
    [[[[[['deep']]]]]],
    { name: 'arg0_1', no: 'x01', long: '12345678901234567890' },
  ]
  it.each(values.map((value) => [JSON.stringify(value), value] as const))('%s', async (_, json) => {
    expect((await roundTrip({ json, texts: [] })).document.json).toEqual(json)
  })
})

describe('the format', () => {
  it('keeps its vocabulary and its primer for ever', () => {
    expect(new Set(VOCABULARY).size).toBe(VOCABULARY.length)
    expect([sha256(VOCABULARY.join(' ')), sha256(PRIMER)].map((h) => h.slice(0, 16))).toMatchInlineSnapshot(`
      [
        "bb1c6385ade6469d",
        "09d067a869ed3a50",
      ]
    `)
  })

  it('gives what was written, or throws, for every changed byte', async () => {
    const document = { json: { a: [1, 'b'] }, texts: [graphPair('readable'), 'x = 1\n'] }
    const bytes = await encodeDocument(document, null)
    for (let i = 0; i < bytes.length; i += 3)
      for (const change of [1, 255]) {
        const changed = bytes.slice()
        changed[i] = changed[i]! ^ change
        await decodeDocument(changed, null).then(
          (read) => expect(Array.isArray(read.texts)).toBe(true),
          (e) => expect(e).toBeInstanceOf(Error),
        )
      }
  })
})

it('a code unpacks to a bounded number of decisions', () => {
  const decoder = new BitDecoder(new Uint8Array(40))
  const endless = (): void => {
    for (;;) decoder.bit(65535)
  }
  expect(endless).toThrow('the code unpacks to too much')
})
