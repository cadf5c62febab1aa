const files = import.meta.glob<string>('./lib/**/*.py', { query: '?raw', import: 'default', eager: true })

/** Our bundled Python files, by path inside site-packages. */
export const pythonLib: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([path, text]) => [path.replace('./lib/', ''), text]),
)
