/**
 * The encoding of a document, which consists of JSON and texts; docs/links.md specifies it. One function both writes and reads each
 * part, so that the two cannot differ: when reading, the passed values are ignored.
 */
import { once } from '../base/memoize'
import { Graph } from '../fx/graph/graph'
import { RowWriter } from './graph_rows'
import { withoutComments, type PrintForm } from './graph_text'
import { JsonReader, JsonWriter, type Json } from './json_rows'
import { Numbers } from './numbers'
import { PRIMER } from './primer'
import { BitDecoder, BitEncoder, CodeError } from './range_coder'
import { RowReader } from './read_rows'
import { RowCoder } from './row_coder'
import { Strings } from './row_state'
import { codeStrings } from './string_list'
import { planTexts, TEXT, textsOf, type TextPlan } from './text_plan'
import { Texts } from './texts'

export interface Document {
  json: Json
  texts: readonly string[]
}

export interface EncodeOptions {
  /** False leaves out the source comments of print_readable. */
  comments?: boolean
}

/**
 * Decodes its own output before it returns: a text that a printer does not reproduce byte for byte is coded as text.
 * @param base a document that the reader has too
 */
export async function encodeDocument(
  document: Document,
  base: Document | null,
  { comments = true }: EncodeOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const plain = new Set<number>()
  for (;;) {
    const plans = await planTexts(document.texts, base?.texts ?? [], comments, plain)
    const encoder = new BitEncoder()
    new DocumentCoder(new Numbers(encoder), base).code(document.json, plans)
    const bytes = encoder.finish()
    const wrong = await wrongTexts(bytes, document, base, comments)
    if (wrong.length === 0) return bytes
    for (const i of wrong) plain.add(i)
  }
}

async function wrongTexts(
  bytes: Uint8Array,
  { texts }: Document,
  base: Document | null,
  comments: boolean,
): Promise<number[]> {
  const read = await decodeDocument(bytes, base)
  const same = (a: string, b: string): boolean => a === b || (!comments && withoutComments(a) === withoutComments(b))
  return texts.flatMap((text, i) => (same(text, read.texts[i] ?? '') ? [] : [i]))
}

/** @throws CodeError for bytes that encodeDocument did not write with this base */
export async function decodeDocument(bytes: Uint8Array, base: Document | null): Promise<Document> {
  const { json, plans } = new DocumentCoder(new Numbers(new BitDecoder(bytes)), base).code(null, [])
  return { json, texts: await textsOf(plans, base?.texts ?? []) }
}

const SLOT = { count: 16, mode: 17, index: 18, prefix: 19, suffix: 20, bytes: 21, flag: 22, subgraphs: 23 } as const
/** Kinds of texts, for the text model. */
const KIND = { file: 1, around: 2, name: 3 } as const
/** Longer texts of a base are not given to the text model, because they are graphs. In characters. */
const MAX_PRIMED = 48 * 1024
const MAX_TEXTS = 1000
const MAX_SUBGRAPHS = 1000
const MAX_DEFLATED = 32 * 1024 * 1024

/** A text model that knows the primer. */
const primed = once(() => {
  const numbers = new Numbers(new BitEncoder())
  const primer = new Texts(numbers.coder, numbers)
  primer.prime(PRIMER)
  return primer
})

/** Rows of a graph and of its subgraphs, by name. */
interface GraphRows {
  rows: readonly (readonly number[])[]
  subgraphs: readonly (readonly [name: string, rows: GraphRows])[]
}
const NO_ROWS: GraphRows = { rows: [], subgraphs: [] }
const NO_FORM: PrintForm = { fx: false, stride: false, device: false, comments: false, className: '' }

class DocumentCoder {
  private readonly texts: Texts
  private readonly rows: RowCoder
  /** The base's strings, then the document's. */
  private readonly strings = new Strings()
  private known: string[] = []

  constructor(
    private readonly numbers: Numbers,
    base: Document | null,
  ) {
    this.texts = new Texts(numbers.coder, numbers)
    this.rows = new RowCoder(numbers)
    this.texts.startFrom(primed())
    if (!base) return
    this.rows.prime(new JsonWriter(this.strings).write(base.json), this.strings.list.length)
    for (const text of base.texts) if (text.length <= MAX_PRIMED) this.texts.prime(text)
  }

  code(json: Json, plans: readonly TextPlan[]): { json: Json; plans: TextPlan[] } {
    const shared = this.strings.list.length
    const jsonRows = this.numbers.decoding ? [] : new JsonWriter(this.strings).write(json)
    const writer = new RowWriter(this.strings)
    const graphs = plans.map((plan) => (plan.mode === TEXT.graph ? rowsOf(plan.graph, writer) : NO_ROWS))
    const own = codeStrings(this.numbers, this.texts, this.strings.list.slice(shared))
    this.known = [...this.strings.list.slice(0, shared), ...own]
    const read = this.rows.rows(jsonRows)
    const count = this.numbers.uint(SLOT.count, [], plans.length)
    if (count > MAX_TEXTS) throw new CodeError(`${count} texts`)
    const coded: TextPlan[] = []
    for (let i = 0; i < count; i++) coded.push(this.text(plans[i] ?? null, graphs[i] ?? NO_ROWS))
    return { json: this.numbers.decoding ? new JsonReader(this.known, read).read() : json, plans: coded }
  }

  private text(plan: TextPlan | null, rows: GraphRows): TextPlan {
    const { numbers, texts } = this
    const mode = numbers.uint(SLOT.mode, [], plan?.mode ?? 0)
    const index = (): number => numbers.uint(SLOT.index, [mode], plan && 'index' in plan ? plan.index : 0)
    switch (mode) {
      case TEXT.same:
        return { mode, index: index() }
      case TEXT.patch: {
        const patch = plan?.mode === TEXT.patch ? plan : { prefix: 0, suffix: 0, middle: '' }
        return {
          mode,
          index: index(),
          prefix: numbers.uint(SLOT.prefix, [], patch.prefix),
          suffix: numbers.uint(SLOT.suffix, [], patch.suffix),
          middle: texts.text(KIND.file, patch.middle),
        }
      }
      case TEXT.modelled:
        return { mode, text: texts.text(KIND.file, plan?.mode === TEXT.modelled ? plan.text : '') }
      case TEXT.deflated:
        return this.deflated(plan?.mode === TEXT.deflated ? plan : null)
      case TEXT.graph:
        return { mode, ...this.print(plan), graph: this.graph(rows, 0) }
      case TEXT.print:
        return { mode, index: index(), ...this.print(plan) }
      default:
        throw new CodeError('a kind of text that does not exist')
    }
  }

  private deflated(plan: { bytes: Uint8Array; size: number } | null): TextPlan {
    const { numbers } = this
    const size = numbers.uint(SLOT.bytes, [0], plan?.size ?? 0)
    const length = numbers.uint(SLOT.bytes, [1], plan?.bytes.length ?? 0)
    if (length > MAX_DEFLATED) throw new CodeError(`${length} bytes`)
    const bytes = new Uint8Array(length)
    // Deflated bytes have no pattern, so each bit is coded unchanged.
    for (let i = 0; i < length; i++)
      for (let bit = 7; bit >= 0; bit--)
        bytes[i] = bytes[i]! | (numbers.coder.bit(32768, ((plan?.bytes[i] ?? 0) >> bit) & 1) << bit)
    return { mode: TEXT.deflated, bytes, size }
  }

  private print(plan: TextPlan | null): { form: PrintForm; before: string; after: string } {
    const { form, before, after } = plan && 'form' in plan ? plan : { form: NO_FORM, before: '', after: '' }
    const flag = (id: number, value: boolean): boolean => this.numbers.flag(SLOT.flag, [id], value)
    const fx = flag(0, form.fx)
    return {
      form: {
        fx,
        stride: !fx && flag(1, form.stride),
        device: !fx && flag(2, form.device),
        comments: !fx && flag(3, form.comments),
        className: fx ? '' : this.texts.text(KIND.name, form.className),
      },
      before: this.texts.text(KIND.around, before),
      after: this.texts.text(KIND.around, after),
    }
  }

  private graph(rows: GraphRows, depth: number): Graph {
    if (depth > 20) throw new CodeError('subgraphs that nest too deeply')
    const { numbers, texts } = this
    const read = this.rows.rows(rows.rows)
    const graph = numbers.decoding ? new RowReader(this.known).graph(read) : new Graph()
    const count = numbers.uint(SLOT.subgraphs, [], rows.subgraphs.length)
    if (count > MAX_SUBGRAPHS) throw new CodeError(`${count} subgraphs`)
    for (let i = 0; i < count; i++) {
      const name = texts.text(KIND.name, rows.subgraphs[i]?.[0] ?? '')
      graph.subgraphs.set(name, this.graph(rows.subgraphs[i]?.[1] ?? NO_ROWS, depth + 1))
    }
    return graph
  }
}

function rowsOf(graph: Graph, writer: RowWriter): GraphRows {
  const rows = writer.rows(graph)
  return { rows, subgraphs: [...graph.subgraphs].map(([name, sub]) => [name, rowsOf(sub, writer)] as const) }
}
