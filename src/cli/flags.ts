/** Options of a command line after splitting. */

/** Values by option; empty for a flag. */
export type Flags = ReadonlyMap<string, readonly string[]>

/** What is wrong with the options of a command, in one sentence. Only parseArgs catches it. */
export class UsageError extends Error {}

export function refuse(message: string): never {
  throw new UsageError(message)
}

/** The options given to one command; a method throws UsageError for what the command does not take. */
export class Options {
  constructor(private readonly flags: Flags) {}

  get names(): string[] {
    return [...this.flags.keys()]
  }

  has(name: string): boolean {
    return this.flags.has(name)
  }

  one(name: string): string | null {
    return this.flags.get(name)?.[0] ?? null
  }

  many(name: string): string[] {
    return [...(this.flags.get(name) ?? [])]
  }

  needOne(name: string, value = 'FILE'): string {
    return this.one(name) ?? refuse(`--${name} ${value} is missing`)
  }

  needMany(name: string, value = 'FILE'): string[] {
    return this.has(name) ? this.many(name) : refuse(`--${name} ${value} is missing`)
  }

  /** @param what `a number` */
  number(name: string, what: string): number | null {
    const value = this.one(name)
    if (value === null || /^\d{1,9}$/.test(value)) return value === null ? null : Number(value)
    return refuse(`--${name} needs ${what}, found ${JSON.stringify(value)}`)
  }

  /** None of these options goes with another. @param other `--cases: each line of the file is a whole case` */
  apart(names: readonly string[], other: string): void {
    const extra = names.find((n) => this.has(n))
    if (extra) refuse(`--${extra} does not go with ${other}`)
  }
}
