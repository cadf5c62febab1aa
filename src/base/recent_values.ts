/** Keeps the most recently used values, up to a total weight and a number; the last value is always kept. */
export class RecentValues<T> {
  /** In the order of use. */
  private readonly entries = new Map<string, { value: T; weight: number }>()
  private total = 0

  constructor(
    private readonly maxWeight: number,
    private readonly maxEntries = Infinity,
  ) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: T, weight: number): void {
    this.total += weight - (this.entries.get(key)?.weight ?? 0)
    this.entries.delete(key)
    this.entries.set(key, { value, weight })
    for (const [oldest, entry] of this.entries) {
      const fits = this.total <= this.maxWeight && this.entries.size <= this.maxEntries
      if (fits || this.entries.size === 1) break
      this.entries.delete(oldest)
      this.total -= entry.weight
    }
  }
}
