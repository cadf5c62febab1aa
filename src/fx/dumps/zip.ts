/** Reads entries of a zip archive that are stored without compression, as torch writes a .pt2. */

export interface ZipEntry {
  name: string
  /** null: the entry is compressed, cut, or shares the bytes of another entry. */
  data: Uint8Array | null
}

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

/** The entries of an archive, from its central directory; empty if the directory is missing (a truncated file). */
export function zipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = endRecord(view)
  if (at < 0) return []
  const wide = zip64(view, at)
  let pos = wide?.start ?? view.getUint32(at + 16, true)
  const count = wide?.count ?? view.getUint16(at + 10, true)
  const entries: ZipEntry[] = []
  // Entries may not overlap: a directory that names the same bytes repeatedly is damaged.
  let room = bytes.length
  for (let i = 0; i < count && pos + 46 <= bytes.length && view.getUint32(pos, true) === 0x02014b50; i++) {
    const method = view.getUint16(pos + 10, true)
    const size = view.getUint32(pos + 20, true)
    const nameLength = view.getUint16(pos + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(pos + 46, pos + 46 + nameLength))
    const header = view.getUint32(pos + 42, true)
    const data = method === 0 && size <= room ? stored(bytes, view, header, size) : null
    room -= data?.length ?? 0
    entries.push({ name, data })
    pos += 46 + nameLength + view.getUint16(pos + 30, true) + view.getUint16(pos + 32, true)
  }
  return entries
}

function stored(bytes: Uint8Array, view: DataView, header: number, size: number): Uint8Array | null {
  if (header + 30 > bytes.length) return null
  const start = header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true)
  return start + size <= bytes.length ? bytes.subarray(start, start + size) : null
}

function endRecord(view: DataView): number {
  const first = Math.max(0, view.byteLength - 65_557)
  for (let i = view.byteLength - 22; i >= first; i--) if (view.getUint32(i, true) === 0x06054b50) return i
  return -1
}

function zip64(view: DataView, end: number): { start: number; count: number } | null {
  if (end < 20 || view.getUint32(end - 20, true) !== 0x07064b50) return null
  const at = Number(view.getBigUint64(end - 12, true))
  if (at + 56 > view.byteLength || view.getUint32(at, true) !== 0x06064b50) return null
  return { count: Number(view.getBigUint64(at + 32, true)), start: Number(view.getBigUint64(at + 48, true)) }
}
