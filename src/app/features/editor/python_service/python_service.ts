/**
 * Client of the Python language service: basedpyright in a worker of its own, over the Language Server Protocol. The worker has the
 * files of the workspace in its memory and reaches nothing else.
 */
import workerUrl from 'browser-basedpyright/dist/pyright.worker.js?url'
import { perPage } from '../../../session/scope'
import type { TextFile } from '../../../../workspace/types'
import { DocumentSync, ROOT } from './document_sync'
import type { LspMessage } from './lsp'

/** The service's answers for Python; types are only inferred, so type errors are not reported. */
const CONFIG = JSON.stringify({ typeCheckingMode: 'off', useLibraryCodeForTypes: false })

export class PythonService {
  private nextId = 1
  private readonly waiting = new Map<number, (message: LspMessage) => void>()
  private readonly worker: Worker
  private readonly documents = new DocumentSync((method, params) => this.send({ method, params }))
  private readonly ready: Promise<unknown>

  constructor() {
    this.worker = new Worker(workerUrl)
    this.worker.onmessage = (e: MessageEvent<LspMessage>) => this.receive(e.data)
    this.worker.postMessage({ type: 'browser/boot', mode: 'foreground' })
    this.ready = this.call('initialize', {
      processId: null,
      rootUri: ROOT,
      workspaceFolders: [{ name: 'workspace', uri: ROOT }],
      initializationOptions: { files: { '/src/pyrightconfig.json': CONFIG } },
      capabilities: {
        textDocument: { rename: { prepareSupport: true }, documentSymbol: { hierarchicalDocumentSymbolSupport: true } },
        workspace: { workspaceEdit: { documentChanges: true } },
      },
    }).then(() => this.send({ method: 'initialized', params: {} }))
  }

  /**
   * @param file the file that the request is about, with the other files in `files`
   * @param position from 0, in UTF-16 units; absent for a request about the whole file
   */
  async ask<T>(
    method: string,
    files: readonly TextFile[],
    file: string,
    params: { position?: { line: number; character: number }; [key: string]: unknown },
  ): Promise<T | null> {
    await this.ready
    this.documents.sync(files)
    const reply = await this.call(`textDocument/${method}`, {
      textDocument: { uri: this.documents.uriOf(file) },
      ...params,
    })
    return (reply.result as T | undefined) ?? null
  }

  nameOf(uri: string): string | null {
    return this.documents.nameOf(uri)
  }

  private call(method: string, params: unknown): Promise<LspMessage> {
    const id = this.nextId++
    return new Promise((resolve) => {
      this.waiting.set(id, resolve)
      this.send({ id, method, params })
    })
  }

  private send(message: LspMessage): void {
    this.worker.postMessage({ jsonrpc: '2.0', ...message })
  }

  private receive(message: LspMessage): void {
    const { id, method } = message
    if (id === undefined) return
    if (method === undefined) {
      this.waiting.get(id)?.(message)
      this.waiting.delete(id)
      return
    }
    // Requests from the server: its configuration, registrations.
    const items = (message.params as { items?: unknown[] } | undefined)?.items
    this.send({ id, result: method === 'workspace/configuration' ? (items ?? []).map(() => ({})) : null })
  }
}

/** Starts the service on first use. */
export const pythonService = perPage(() => new PythonService())
