// @ts-check
/**
 * Gives a script of the page a tag of its own before the app's. The bundler puts the modules of one tag together, and a
 * module runs only after all chunks that its tag imports: the script would wait for the app.
 * @param {{ page: string, script: string }} options `page`: '/index.html'; `script`: the path of an input of the build
 * @returns {import('vite').Plugin}
 */
export function earlyScript({ page, script }) {
  return {
    name: 'fusescope-early-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { path, bundle }) {
        if (path !== page) return []
        const chunk = Object.values(bundle ?? {}).find((c) => c.type === 'chunk' && c.facadeModuleId === script)
        if (!chunk) throw new Error(`the build has no chunk of ${script}`)
        // `crossorigin` as Vite writes it: one module a page, whichever tag asks first.
        const attrs = { type: 'module', crossorigin: true, src: `./${chunk.fileName}`, 'data-early': true }
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}
