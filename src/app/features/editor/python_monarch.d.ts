declare module 'monaco-editor/languages/definitions/python/python.js' {
  import type { languages } from 'monaco-editor/editor/editor.api.js'
  export const conf: languages.LanguageConfiguration
  export const language: languages.IMonarchLanguage
}
declare module 'monaco-editor/languages/definitions/wgsl/wgsl.js' {
  import type { languages } from 'monaco-editor/editor/editor.api.js'
  export const conf: languages.LanguageConfiguration
  export const language: languages.IMonarchLanguage
}
