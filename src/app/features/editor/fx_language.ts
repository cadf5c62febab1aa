/** Colours for FX graph text: print(graph) and print_readable, told apart line by line. Monarch, so no parser. */
import type { languages } from 'monaco-editor/editor/editor.api.js'

export const FX_CONF: languages.LanguageConfiguration = {
  comments: { lineComment: '#' },
  brackets: [
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
  ],
  // %name and aten.mm.default are words as a whole.
  wordPattern: /%?[A-Za-z_][\w.]*/,
}

export const FX_LANGUAGE: languages.IMonarchLanguage = {
  defaultToken: '',
  tokenPostfix: '.fx',
  keywords: ['class', 'def', 'return', 'self', 'None', 'True', 'False', 'graph', 'inf', 'nan', 'device'],
  ops: ['placeholder', 'call_function', 'call_method', 'call_module', 'get_attr', 'output'],
  dtypes: [
    'bfloat16',
    'float16',
    'float32',
    'float64',
    'int8',
    'int16',
    'int32',
    'int64',
    'uint8',
    'bool',
    'float8_e4m3fn',
    'float8_e5m2',
  ],
  brackets: [
    { open: '(', close: ')', token: 'delimiter.parenthesis' },
    { open: '[', close: ']', token: 'delimiter.square' },
    { open: '{', close: '}', token: 'delimiter.curly' },
  ],
  tokenizer: {
    root: [
      [/#.*$/, 'comment'],
      // What print_readable writes to free names: not what a reader looks for.
      [/;\s+[\w\s=]+= None.*$/, 'comment'],
      [/%[A-Za-z_]\w*/, 'variable'],
      [/(num_users)(=)(\d+)/, ['comment', 'comment', 'comment']],
      [/torch\.ops\.[\w.]+/, 'type'],
      [/(target)(=)([\w.<>]+)/, ['comment', 'delimiter', 'type']],
      [/\b_?operator\.\w+/, 'type'],
      [/torch\.(\w+)/, { cases: { '$1@dtypes': 'keyword', '@default': 'type' } }],
      [/"[^"]*"/, 'string'],
      [/'[^']*'/, 'string'],
      [/-?\b\d+(\.\d+)?([eE][+-]?\d+)?\b/, 'number'],
      [/[A-Za-z_]\w*/, { cases: { '@keywords': 'keyword', '@ops': 'keyword', '@default': 'identifier' } }],
      [/[()[\]{}]/, '@brackets'],
      [/[:=,]/, 'delimiter'],
    ],
  },
}
