/**
 * The files that the page loads for Python besides its code: the memory snapshot, from which Python starts, and the standard
 * library, which may arrive later (late_library.ts). The library's zip is stored without compression, so that zstd compresses the
 * sources. zstd because hosts need not support it, and because it is a quarter smaller than gzip.
 */
import { decompress } from 'fzstd'
import { fillIn, leftOut, type HeapAddresses, type HeapMarks } from './compact_heap'
import { beginOf } from './memory_delta'

/** Size of the part that remains to unpack when a file has arrived: its last bytes are a separate zstd frame. */
const LAST_BYTES = 4 << 20

/** Six words before the frames: the bytes of the file, those of its packed first part, and a snapshot's marks, otherwise zeros. */
const HEAD = 24

type Compress = (part: Uint8Array) => Uint8Array

/** @param addresses null, or of another layout: the memory is packed unchanged */
export function packSnapshot(
  snapshot: Uint8Array,
  addresses: HeapAddresses | null,
  compress: Compress,
): Uint8Array<ArrayBuffer> {
  const begin = beginOf(snapshot)
  const found = addresses && leftOut(new Uint32Array(snapshot.slice(begin).buffer), addresses)
  if (!found) return pack(snapshot, compress)
  const file = snapshot.slice()
  file.set(new Uint8Array(found.left.buffer), begin)
  return pack(file, compress, found.marks)
}

/** @param compress makes a zstd frame */
export function pack(file: Uint8Array, compress: Compress, marks = UNMARKED): Uint8Array<ArrayBuffer> {
  const cut = Math.max(0, file.length - LAST_BYTES)
  const parts = [file.subarray(0, cut), file.subarray(cut)].map(compress)
  const packed = new Uint8Array(HEAD + parts[0]!.length + parts[1]!.length)
  const head = new DataView(packed.buffer)
  head.setUint32(0, file.length, true)
  head.setUint32(4, parts[0]!.length, true)
  ;[marks.str, marks.list, marks.first, marks.blank].forEach((address, i) => head.setUint32(8 + 4 * i, address, true))
  packed.set(parts[0]!, HEAD)
  packed.set(parts[1]!, HEAD + parts[0]!.length)
  return packed
}

const UNMARKED: HeapMarks = { str: 0, list: 0, first: 0, blank: 0 }

/** A file as it was packed. @throws Error if it is damaged */
export function unpack(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const arriving = new Arriving()
  arriving.push(packed)
  return arriving.whole()
}

/** The standard library's file: the bytes of the zip, the zip, and the texts of our Python files as JSON. */
export function withLib(zip: Uint8Array, lib: Readonly<Record<string, string>>): Uint8Array {
  const texts = new TextEncoder().encode(JSON.stringify(lib))
  const file = new Uint8Array(4 + zip.length + texts.length)
  new DataView(file.buffer).setUint32(0, zip.length, true)
  file.set(zip, 4)
  file.set(texts, 4 + zip.length)
  return file
}

/** @param file made by withLib */
export function fromLibrary(file: Uint8Array): { zip: Uint8Array; lib(): Record<string, string> } {
  const end = 4 + new DataView(file.buffer, file.byteOffset).getUint32(0, true)
  return {
    zip: file.subarray(4, end),
    lib: () => JSON.parse(new TextDecoder().decode(file.subarray(end))) as Record<string, string>,
  }
}

/** Unpacks a file while it arrives. */
export class Arriving {
  /** Bytes so far. */
  size = 0
  private chunks: Uint8Array[] = []
  private file: Uint8Array<ArrayBuffer> | null = null
  /** Bytes of the head and the packed first part. */
  private first = 0
  private marks = UNMARKED
  private unpacked = 0

  /** @throws Error if the file is damaged */
  push(chunk: Uint8Array): void {
    this.chunks.push(chunk)
    this.size += chunk.length
    if (!this.file && this.size >= HEAD) {
      const { buffer, byteOffset } = this.joined()
      const head = new DataView(buffer, byteOffset, HEAD)
      this.file = new Uint8Array(head.getUint32(0, true))
      this.first = HEAD + head.getUint32(4, true)
      const [str, list, first, blank] = [8, 12, 16, 20].map((at) => head.getUint32(at, true)) as [
        number,
        number,
        number,
        number,
      ]
      this.marks = { str, list, first, blank }
    }
    if (this.file && this.unpacked === 0 && this.size >= this.first) this.take(HEAD, this.first)
  }

  /** The file, once all of it has been pushed; once. @throws Error if it is damaged */
  whole(): Uint8Array<ArrayBuffer> {
    this.take(this.first, this.size)
    const { file } = this
    if (this.unpacked !== file?.length) throw new Error('it is not whole')
    if (this.marks.str > 0) fillIn(new Uint32Array(file.buffer, beginOf(file)), this.marks)
    // Reset, because the worker lives longer than its start.
    this.file = null
    this.chunks = []
    return file
  }

  private joined(): Uint8Array {
    const all = new Uint8Array(this.size)
    let at = 0
    for (const chunk of this.chunks) {
      all.set(chunk, at)
      at += chunk.length
    }
    this.chunks = [all]
    return all
  }

  private take(from: number, to: number): void {
    const part = decompress(this.joined().subarray(from, to))
    this.file?.set(part, this.unpacked)
    this.unpacked += part.length
  }
}

/** The names of the two files for what they are made from, as a hash. */
export const packNames = (key: string): { snapshot: string; stdlib: string } => ({
  snapshot: `python-${key}`,
  stdlib: `stdlib-${key}`,
})
