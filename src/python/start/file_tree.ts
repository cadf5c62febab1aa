/** Emscripten's file system at one moment, restored by reference, because its contents are protected. */
import type { PythonAssets } from '../types'
import type { LateLibrary } from './late_library'

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
  /** The number of the next node. */
  nextInode: number
  createNode(parent: FileNode, name: string, mode: number, device: number): FileNode
  isDir(mode: number): boolean
  isFile(mode: number): boolean
  ErrnoError: new (errno: number) => Error
}

type Saved = Pick<
  FileNode,
  'name' | 'parent' | 'mode' | 'contents' | 'usedBytes' | 'name_next' | 'atime' | 'mtime' | 'ctime'
>

/** Maximum number of bytes that one run may write: files and pipes are in the page's memory, outside Python's. */
const MAX_WRITTEN = 256 * 1024 * 1024
/** Size of a file, folder, link or pipe end besides its content and name. */
const NODE_BYTES = 1000

type Write = (
  stream: FileStream & { node: FileNode },
  buffer: unknown,
  offset: number,
  length: number,
  ...rest: readonly [position?: number, ...unknown[]]
) => number
type SetAttributes = (node: FileNode, attributes: { size?: number }) => void
type MakeLink = (parent: FileNode, name: string, target: string) => FileNode

/** The operations that all files in memory share. */
export interface MemoryFiles {
  ops_table: {
    dir: { node: { symlink: MakeLink } }
    file: { node: { setattr: SetAttributes }; stream: { write: Write } }
  }
}

export interface Pipes {
  stream_ops: { write: Write }
}

export class FileTree {
  private written = 0

  private readonly table: readonly (FileNode | undefined)[]
  private readonly nodes = new Map<FileNode, Saved>()
  private readonly streams: readonly (FileStream | null)[]
  private readonly fields: readonly { shared: object }[]
  private readonly folder: string
  private readonly nextInode: number

  constructor(
    private readonly fs: EmscriptenFS,
    memoryFiles: MemoryFiles,
    pipes: Pipes,
  ) {
    this.limit(memoryFiles.ops_table, pipes)
    this.table = fs.nameTable.slice()
    for (const head of this.table) for (let node = head; node; node = node.name_next) this.save(node)
    this.streams = fs.streams.slice()
    this.fields = this.streams.map((stream) => ({ ...stream, shared: { ...stream?.shared } }))
    this.folder = fs.currentPath
    this.nextInode = fs.nextInode
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
    fs.nextInode = this.nextInode
  }

  /** The standard library's archive cannot be opened before it has arrived. */
  expect(late: LateLibrary): void {
    const fill = this.fillOnOpen(LIBRARY, () => this.require(late))
    // If Python started cold, the archive is present.
    if (fill) late.putInto(fill)
  }

  /** The same applies to the texts of our Python files, which arrive with it; few runs read one. */
  holdTexts(lib: PythonAssets['lib'], late?: LateLibrary): void {
    let filled = false
    const fill = this.fillOnOpen(TEXTS, () => {
      if (late) this.require(late)
      if (!filled) fill!(new TextEncoder().encode(JSON.stringify(lib())))
      filled = true
    })
  }

  private require(late: LateLibrary): void {
    if (late.bytes) return
    late.missed = true
    throw new this.fs.ErrnoError(NOT_READABLE)
  }

  /** @returns a function that fills the empty file of this name; null if there is no such file */
  private fillOnOpen(name: RegExp, open: () => void): ((bytes: Uint8Array) => void) | null {
    const found = [...this.nodes].find(([node]) => name.test(node.name) && node.usedBytes === 0)
    if (!found) return null
    const [node, saved] = found
    node.stream_ops = { ...node.stream_ops, open }
    return (bytes) => {
      for (const file of [node, saved]) Object.assign(file, { contents: bytes, usedBytes: bytes.length })
    }
  }

  private limit({ dir, file }: MemoryFiles['ops_table'], pipes: Pipes): void {
    const { fs } = this
    const { symlink } = dir.node
    const { setattr } = file.node
    const { write } = file.stream
    const { write: writePipe } = pipes.stream_ops
    const createNode = fs.createNode.bind(fs)
    const count = (bytes: number): void => {
      if (this.written + bytes > MAX_WRITTEN) throw new fs.ErrnoError(NO_SPACE)
      this.written += bytes
    }
    file.node.setattr = (at, attributes) => {
      count(Math.max(0, (attributes.size ?? 0) - (at.usedBytes ?? 0)))
      setattr(at, attributes)
    }
    file.stream.write = (at, buffer, offset, length, ...rest) => {
      // A file grows to where it is written, over a gap of any size.
      const grown = (rest[0] ?? 0) + length - (at.node.usedBytes ?? 0)
      count(Math.max(length, grown))
      return write(at, buffer, offset, length, ...rest)
    }
    pipes.stream_ops.write = (at, buffer, offset, length, ...rest) => {
      count(length)
      return writePipe(at, buffer, offset, length, ...rest)
    }
    dir.node.symlink = (parent, name, target) => {
      count(2 * target.length)
      return symlink(parent, name, target)
    }
    fs.createNode = (parent, name, mode, device) => {
      count(NODE_BYTES + 2 * name.length)
      return createNode(parent, name, mode, device)
    }
  }

  private save(node: FileNode): void {
    const { name, parent, mode, contents, usedBytes, name_next, atime, mtime, ctime } = node
    const kept = this.fs.isDir(mode) && isFolder(contents) ? { ...contents } : contents
    this.nodes.set(node, { name, parent, mode, contents: kept, usedBytes, name_next, atime, mtime, ctime })
    if (this.fs.isFile(mode)) this.protect(node)
  }

  /** Runs do not copy the standard library's archive, so nobody may write to it. */
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

const LIBRARY = /^python\d+\.zip$/
const TEXTS = /^fusescope\.json$/
/** Emscripten's number of EIO. */
const NOT_READABLE = 29
/** Emscripten's number of ENOSPC. */
const NO_SPACE = 51
/** Emscripten's number of EROFS. */
const READ_ONLY = 69
