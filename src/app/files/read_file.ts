/** Reads a File as the dump in it or as text. A large TORCH_TRACE log is streamed, with its progress on screen. */
import {
  dumpOfBytes,
  dumpOfStream,
  dumpOfText,
  graphsOfFile,
  isTorchTrace,
  type Dump,
  type DumpGraph,
} from '../../engine/dumps'
import { encodingOf } from '../../workspace'
import { ask } from './question'

/** Size from which a log is read in pieces, in bytes. */
const STREAMED = 8 * 1024 * 1024

/** A file's text; or its dump, if the file is not text or is a log too long for one string. */
export async function readFile(file: File): Promise<string | Dump> {
  if (file.size > STREAMED && isTorchTrace(await file.slice(0, 20_000).text())) return streamed(file)
  const bytes = await unzipped(file)
  return dumpOfBytes(bytes, file.name) ?? new TextDecoder(encodingOf(bytes)).decode(bytes)
}

/** Maximum unpacked size of a gzipped file, in bytes: a few MB can unpack to as many GB, which would crash the page. */
const MAX_UNPACKED = 512 * 1024 * 1024

/** A whole capture may be gzipped. @throws Error, one sentence, if it unpacks to more than `limit` bytes */
export async function unzipped(file: Blob, limit = MAX_UNPACKED): Promise<Uint8Array> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length
    parts.push(read.value)
    if (size <= limit) continue
    void reader.cancel()
    throw new Error(`unpacked, it has more than ${limit / 1048576} MiB`)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

async function streamed(file: File): Promise<Dump> {
  let shown = 0
  const progress = (read: number): void => {
    if (read - shown < STREAMED / 4) return
    shown = read
    ask({ kind: 'reading', name: file.name, read, size: file.size })
  }
  ask({ kind: 'reading', name: file.name, read: 0, size: file.size })
  try {
    return await dumpOfStream(piecesOf(file), file.name, progress)
  } finally {
    ask(null)
  }
}

async function* piecesOf(file: File): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

/** A valid name for a file of the workspace. */
export const safe = (name: string): string => name.replace(/[^\w.-]+/g, '_') || 'file'

export const dumpIn = (read: string | Dump, path: string): Dump =>
  typeof read === 'string' ? dumpOfText(read, path) : read

/** The graphs of one of several files, under its name. */
export const graphsIn = (read: string | Dump, path: string): DumpGraph[] => graphsOfFile(dumpIn(read, path), path)
