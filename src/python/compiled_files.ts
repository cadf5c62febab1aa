/** Keeps compiled files from one run to the next: code and syntax facts of the files whose text is unchanged. */
import type { PythonFile } from './types'

/** Compiles a file in a Python in which no user code has run since its reset; null if it is not to be kept. */
export type CompileFile = (file: PythonFile) => string | null

interface Kept {
  text: string
  made: string | null
}

export class CompiledFiles {
  private texts = new Map<string, string>()
  private kept = new Map<string, Kept>()

  constructor(private readonly compile: CompileFile) {}

  /**
   * A run's files, with the kept results. A file is compiled ahead in the second run of a text, so that the file being edited costs
   * nothing extra.
   */
  of(files: readonly PythonFile[]): [name: string, text: string, made: string | null][] {
    const { texts, kept } = this
    this.texts = new Map(files.map((f) => [f.name, f.text]))
    this.kept = new Map(files.flatMap((f) => (kept.has(f.name) ? [[f.name, kept.get(f.name)!] as const] : [])))
    return files.map((file) => {
      const { name, text } = file
      const known = kept.get(name)
      if (known?.text === text) return [name, text, known.made]
      if (texts.get(name) !== text) return [name, text, null]
      const made = this.compile(file)
      this.kept.set(name, { text, made })
      return [name, text, made]
    })
  }
}
