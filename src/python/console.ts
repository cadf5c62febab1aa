export interface ConsoleText {
  stream: 'stdout' | 'stderr'
  text: string
}

/** What Python printed, line by line, up to a sane amount: a print in a loop must not fill the page's memory. */
export class Console {
  private lines: ConsoleText[] = []
  private size = 0
  /** Lines begun and not ended yet. */
  private readonly open = { stdout: '', stderr: '' }
  private static readonly LIMIT = 200_000

  /** @param text any part of the output */
  write(stream: 'stdout' | 'stderr', text: string): void {
    if (this.size > Console.LIMIT) return
    const parts = (this.open[stream] + text).split('\n')
    this.open[stream] = parts.pop()!
    for (const line of parts) this.push(stream, line)
    if (this.open[stream].length > Console.LIMIT) this.end(stream)
  }

  /** The lines since the last call. */
  drain(): ConsoleText[] {
    this.end('stdout')
    this.end('stderr')
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
    // Files by the names the user knows them by, in warnings and logs.
    const text = line.replaceAll('/workspace/', '')
    this.size += text.length + 1
    this.lines.push({ stream, text })
    if (this.size > Console.LIMIT) this.lines.push({ stream: 'stderr', text: '… the rest of the output was left out' })
  }
}
