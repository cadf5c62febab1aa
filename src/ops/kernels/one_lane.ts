/** Functions of one lane in a shader whose other functions may have four. */
import { lanes } from '../dtype'
import type { Expr } from '../expr/expr'
import { functionOf, type Printing, type WgslContext } from '../expr/to_wgsl'
import type { Shader } from './shader'

/** One-lane functions in a shader with several lanes: their helpers, which also exist for several lanes, get separate names. */
class OneLane implements Printing {
  readonly wide = false
  private readonly own = new Set<string>()

  constructor(private readonly shader: Shader) {}

  helper(wgsl: string): void {
    const text = lanes(wgsl, false)
    if (this.shader.wide) for (const [, name] of text.matchAll(/fn (\w+)\(/g)) this.own.add(name!)
    this.shader.helper(this.named(text))
  }
  param(name: string, value: number): string {
    return this.shader.param(name, value)
  }
  named(text: string): string {
    return text.replace(/\b\w+(?=\()/g, (name) => (this.own.has(name) ? `${name}_1` : name))
  }
}

/** Adds `fn NAME(PARAMS: f32) -> f32`. */
export function oneLaneFunction(
  shader: Shader,
  name: string,
  params: readonly string[],
  value: Expr,
  load?: WgslContext['load'],
): void {
  const printing = new OneLane(shader)
  shader.helper(printing.named(lanes(functionOf(printing, name, params, value, load), false)))
}
