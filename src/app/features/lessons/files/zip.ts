/** Zip archives of lessons: writes archives without compression, and reads archives with or without it. */
/** Limits of an archive that is read: entries, and bytes of all texts. */
const MAX_ENTRIES = 2000
const MAX_BYTES = 64 * 1024 * 1024

const CRC = new Uint32Array(256).map((_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})

/** CRC-32 of ISO 3309, as zip uses it. */
function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff
  for (const b of bytes) c = CRC[(c ^ b) & 0xff]! ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}

/** 1 January 1980 in the date format of MS-DOS, so that equal files give equal archives. */
const DATE = 0x21
/** Names are UTF-8. */
const FLAGS = 0x0800

/** @param files text by path */
export function writeZip(files: ReadonlyMap<string, string>): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  for (const [path, text] of files) {
    const [name, data] = [new TextEncoder().encode(path), new TextEncoder().encode(text)]
    // Version 2.0, flags, stored, time, date, CRC, both sizes, length of the name, no extra field.
    const common = [
      [20, 2],
      [FLAGS, 2],
      [0, 2],
      [0, 2],
      [DATE, 2],
      [crc32(data), 4],
      [data.length, 4],
    ] as const
    const sizes = [
      [data.length, 4],
      [name.length, 2],
      [0, 2],
    ] as const
    const header = record(0x04034b50, [...common, ...sizes])
    directory.push(record(0x02014b50, [[20, 2], ...common, ...sizes, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]]), name)
    parts.push(header, name, data)
    at += header.length + name.length + data.length
  }
  const size = directory.reduce((n, part) => n + part.length, 0)
  const end = record(0x06054b50, [
    [0, 2],
    [0, 2],
    [files.size, 2],
    [files.size, 2],
    [size, 4],
    [at, 4],
    [0, 2],
  ])
  return new Blob([...parts, ...directory, end], { type: 'application/zip' })
}

function record(
  signature: number,
  fields: readonly (readonly [value: number, bytes: 2 | 4])[],
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 + fields.reduce((n, [, size]) => n + size, 0))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, signature, true)
  let at = 4
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return bytes
}

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

/** The files of an archive as text, by path. @throws Error, one sentence, for a damaged archive or one beyond the limits */
export async function readZip(bytes: Uint8Array<ArrayBuffer>): Promise<Map<string, string>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const files = new Map<string, string>()
  let total = 0
  try {
    let pos = view.getUint32(endOf(view) + 16, true)
    for (let i = 0; i < MAX_ENTRIES && view.getUint32(pos, true) === 0x02014b50; i++) {
      const [method, packed, size] = [
        view.getUint16(pos + 10, true),
        view.getUint32(pos + 20, true),
        view.getUint32(pos + 24, true),
      ]
      const length = view.getUint16(pos + 28, true)
      const name = new TextDecoder().decode(bytes.subarray(pos + 46, pos + 46 + length))
      const header = view.getUint32(pos + 42, true)
      const start = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true)
      // Entries may name the same bytes repeatedly.
      total += Math.max(size, packed)
      if (total > MAX_BYTES || (method !== 0 && method !== 8)) break
      const data = bytes.subarray(start, start + packed)
      if (!name.endsWith('/'))
        files.set(name, new TextDecoder().decode(method === 0 ? data : await inflated(data, size)))
      pos += 46 + length + view.getUint16(pos + 30, true) + view.getUint16(pos + 32, true)
    }
  } catch {
    throw new Error('the archive is damaged')
  }
  if (total > MAX_BYTES) throw new Error('the archive holds more than 64 MiB')
  return files
}

/** @throws Error if the data has another size than the archive says, so that no archive expands without a limit */
async function inflated(data: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array> {
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const out = new Uint8Array(size)
  for (let at = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return out
    out.set(value, at)
    at += value.length
  }
}

function endOf(view: DataView): number {
  for (let i = view.byteLength - 22; i >= Math.max(0, view.byteLength - 65_557); i--)
    if (view.getUint32(i, true) === 0x06054b50) return i
  throw new Error('no directory')
}
