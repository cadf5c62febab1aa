/**
 * The fifteen tasks of docs/design.md: each takes at most three actions. `FUSESCOPE_TASKS=1 npm run e2e -- e2e/tasks.spec.ts`, and the
 * same with phone.spec.ts, write their actions and seconds into the table there.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'

const PAGE = join(import.meta.dirname, '..', 'docs', 'design.md')
const MOST = 3
/** In seconds. Only the table is checked against it, because a busy machine takes longer. */
const LONGEST = 20

/** The actions of a task: keys, presses, choices, and typed words. Tab and scrolling on the way are free. */
export class Tasks {
  actions = 0
  /** @param column its heading in the table */
  constructor(private readonly column: string) {}

  /**
   *  @param what the task's name in the table
   */
  async do(what: string, work: () => Promise<void>): Promise<void> {
    await test.step(what, async () => {
      this.actions = 0
      const began = Date.now()
      await work()
      const seconds = Math.round((Date.now() - began) / 1000)
      expect(this.actions, what).toBeLessThanOrEqual(MOST)
      if (!process.env.FUSESCOPE_TASKS) return
      expect(seconds, what).toBeLessThanOrEqual(LONGEST)
      this.write(what, this.actions === 0 ? '0' : `${this.actions}, ${seconds} s`)
    })
  }

  private write(what: string, cell: string): void {
    const lines = readFileSync(PAGE, 'utf8').split('\n')
    const cells = (line: string): string[] => line.split(' | ')
    const at = cells(lines.find((line) => line.startsWith('| task |'))!).indexOf(this.column)
    const row = lines.findIndex((line) => line.startsWith(`| ${what} |`))
    expect(Math.min(at, row), `${what}, ${this.column}`).toBeGreaterThan(0)
    lines[row] = cells(lines[row]!).with(at, cell).join(' | ')
    writeFileSync(PAGE, lines.join('\n'))
  }
}

/** A small graph with one call of an operator. */
export const graphWith = (op: string): string => `class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[8, 16]", arg1_1: "f32[8, 16]"):
        mul: "f32[8, 16]" = torch.ops.aten.mul.Tensor(arg0_1, arg1_1);  arg0_1 = arg1_1 = None
        ${op}: "f32[8, 16]" = torch.ops.aten.${op}.default(mul);  mul = None
        return (${op},)
`
