/** Emscripten's file system as it was at one moment: put back by reference, since its contents are protected. */

interface FileNode {
  name: string
  parent: FileNode
  mode: number
  /** A folder's children by name, or a file's bytes. */
  contents?: unknown
  usedBytes?: number
  name_next?: FileNode
  stream_ops: Record<string, unknown>
  node_ops: Record<string, unknown>
  atime: number
  mtime: number
  ctime: number
}

interface FileStream {
  fd: number | null
  /** Position and flags, which duplicates of the stream share. */
  shared: object
}

export interface EmscriptenFS {
  root: FileNode
  /** Every node, in chains by the hash of its name. */
  nameTable: (FileNode | undefined)[]
  /** By file descriptor. */
  streams: (FileStream | null)[]
  currentPath: string
  isDir(mode: number): boolean
  isFile(mode: number): boolean
  ErrnoError: new (errno: number) => Error
}

type Saved = Pick<
  FileNode,
  'name' | 'parent' | 'mode' | 'contents' | 'usedBytes' | 'name_next' | 'atime' | 'mtime' | 'ctime'
>

/** Bytes that one run may write: files are in the page's memory, outside of Python's. */
const MAX_WRITTEN = 256 * 1024 * 1024

type Write = (stream: FileStream, buffer: unknown, offset: number, length: number, ...rest: unknown[]) => number
type SetAttributes = (node: FileNode, attributes: { size?: number }) => void

/** The operations that all files in memory share. */
export interface MemoryFiles {
  ops_table: { file: { node: { setattr: SetAttributes }; stream: { write: Write } } }
}

export class FileTree {
  private written = 0

  private readonly table: readonly (FileNode | undefined)[]
  private readonly nodes = new Map<FileNode, Saved>()
  private readonly streams: readonly (FileStream | null)[]
  private readonly fields: readonly { shared: object }[]
  private readonly folder: string

  constructor(
    private readonly fs: EmscriptenFS,
    memoryFiles: MemoryFiles,
  ) {
    this.limit(memoryFiles.ops_table.file)
    this.table = fs.nameTable.slice()
    for (const head of this.table) for (let node = head; node; node = node.name_next) this.save(node)
    this.streams = fs.streams.slice()
    this.fields = this.streams.map((stream) => ({ ...stream, shared: { ...stream?.shared } }))
    this.folder = fs.currentPath
  }

  restore(): void {
    const { fs } = this
    this.written = 0
    fs.nameTable.length = 0
    fs.nameTable.push(...this.table)
    for (const [node, saved] of this.nodes) {
      Object.assign(node, saved)
      if (isFolder(saved.contents)) node.contents = { ...saved.contents }
    }
    fs.streams.length = 0
    fs.streams.push(...this.streams)
    this.streams.forEach((stream, i) => {
      const { shared, ...own } = this.fields[i]!
      if (stream) Object.assign(stream, own, { shared: { ...shared } })
    })
    fs.currentPath = this.folder
  }

  private limit({ node, stream }: MemoryFiles['ops_table']['file']): void {
    const { setattr } = node
    const { write } = stream
    const count = (bytes: number): void => {
      this.written += bytes
      if (this.written > MAX_WRITTEN) throw new this.fs.ErrnoError(NO_SPACE)
    }
    node.setattr = (at, attributes) => {
      count(Math.max(0, (attributes.size ?? 0) - (at.usedBytes ?? 0)))
      setattr(at, attributes)
    }
    stream.write = (at, buffer, offset, length, ...rest) => {
      count(length)
      return write(at, buffer, offset, length, ...rest)
    }
  }

  private save(node: FileNode): void {
    const { name, parent, mode, contents, usedBytes, name_next, atime, mtime, ctime } = node
    const kept = this.fs.isDir(mode) && isFolder(contents) ? { ...contents } : contents
    this.nodes.set(node, { name, parent, mode, contents: kept, usedBytes, name_next, atime, mtime, ctime })
    if (this.fs.isFile(mode)) this.protect(node)
  }

  /** The standard library's archive is not copied in each run, so nobody may write to it. */
  private protect(node: FileNode): void {
    const { ErrnoError } = this.fs
    const refuse = (): never => {
      throw new ErrnoError(READ_ONLY)
    }
    node.stream_ops = { ...node.stream_ops, write: refuse, allocate: refuse, msync: refuse }
    node.node_ops = { ...node.node_ops, setattr: refuse }
  }
}

const isFolder = (contents: unknown): contents is Record<string, FileNode> =>
  typeof contents === 'object' && contents !== null && !ArrayBuffer.isView(contents) && !Array.isArray(contents)

/** Emscripten's number of ENOSPC. */
const NO_SPACE = 51
/** Emscripten's number of EROFS. */
const READ_ONLY = 69
