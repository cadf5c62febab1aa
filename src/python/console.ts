import { cutText } from './bounds'
import type { ConsoleLine } from './types'

/** Python's output by line, limited so that a print in a loop does not fill the page's memory. */
export class Console {
  private lines: ConsoleLine[] = []
  private size = 0
  /** Unfinished lines. */
  private readonly open = { stdout: '', stderr: '' }
  private readonly decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  private static readonly LIMIT = 200_000
  private static readonly LINE_LIMIT = 20_000

  /** @param bytes any part of the output; a character may be in two */
  writeBytes(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    this.write(stream, this.decoders[stream].decode(bytes, { stream: true }))
  }

  /** @param text any part of the output */
  write(stream: 'stdout' | 'stderr', text: string): void {
    if (this.size > Console.LIMIT) return
    // A longer text cannot be shown: `push` counts the rest.
    const parts = (this.open[stream] + text.slice(0, 2 * Console.LIMIT)).split('\n')
    this.open[stream] = parts.pop()!
    for (const line of parts) this.push(stream, line)
    if (this.open[stream].length > Console.LIMIT) this.end(stream)
  }

  /** Returns the lines since the last call. */
  drain(): ConsoleLine[] {
    for (const stream of ['stdout', 'stderr'] as const) {
      // Half a character must not become part of the next output.
      this.write(stream, this.decoders[stream].decode())
      this.end(stream)
    }
    const lines = this.lines
    this.lines = []
    this.size = 0
    return lines
  }

  private end(stream: 'stdout' | 'stderr'): void {
    const rest = this.open[stream]
    this.open[stream] = ''
    if (rest !== '') this.push(stream, rest)
  }

  private push(stream: 'stdout' | 'stderr', line: string): void {
    if (this.size > Console.LIMIT) return
    // Warnings and logs show workspace file names instead of internal paths.
    const text = cutText(line.replaceAll('/workspace/', ''), Console.LINE_LIMIT)
    this.size += text.length + 1
    this.lines.push({ stream, text })
    if (this.size > Console.LIMIT) this.lines.push({ stream: 'stderr', text: '… the rest of the output was omitted' })
  }
}
