/** What Python printed, up to a sane amount: a print in a loop must not fill the page's memory. */
export class Console {
  private lines: { stream: 'stdout' | 'stderr'; text: string }[] = []
  private size = 0
  private static readonly LIMIT = 200_000

  write(stream: 'stdout' | 'stderr', text: string): void {
    if (this.size > Console.LIMIT) return
    this.size += text.length + 1
    this.lines.push({ stream, text })
    if (this.size > Console.LIMIT) this.lines.push({ stream: 'stderr', text: '… the rest of the output was left out' })
  }

  /** The lines since the last call. */
  drain(): { stream: 'stdout' | 'stderr'; text: string }[] {
    const lines = this.lines
    this.lines = []
    this.size = 0
    return lines
  }
}
