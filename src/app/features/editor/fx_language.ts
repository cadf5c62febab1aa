/**
 * Syntax highlighting of FX graph text, print(graph) and print_readable, detected per line. A Monarch grammar, not a
 * parser.
 */
import type { languages } from 'monaco-editor/editor/editor.api.js'

export const FX_CONF: languages.LanguageConfiguration = {
  comments: { lineComment: '#' },
  brackets: [
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
  ],
  // Words include %name and aten.mm.default.
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
      // print_readable's `x = None` assignments free names and carry no information, so they are dimmed.
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
