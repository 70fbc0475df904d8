import type { Extension } from '@codemirror/state'
import type { CodeLanguage } from '@/lib/workspace/kind-of-file'

type Loader = () => Promise<Extension>

const script = (options: { readonly jsx?: boolean; readonly typescript?: boolean }): Loader => {
  return async () => (await import('@codemirror/lang-javascript')).javascript(options)
}

/** One chunk a language, loaded on first need. */
const loaders: Readonly<Record<CodeLanguage, Loader>> = {
  javascript: script({}),
  jsx: script({ jsx: true }),
  typescript: script({ typescript: true }),
  tsx: script({ jsx: true, typescript: true }),
  json: async () => (await import('@codemirror/lang-json')).json(),
  markdown: async () => (await import('@codemirror/lang-markdown')).markdown(),
  html: async () => (await import('@codemirror/lang-html')).html(),
  css: async () => (await import('@codemirror/lang-css')).css(),
  python: async () => (await import('@codemirror/lang-python')).python(),
  xml: async () => (await import('@codemirror/lang-xml')).xml(),
  yaml: async () => (await import('@codemirror/lang-yaml')).yaml(),
  sql: async () => (await import('@codemirror/lang-sql')).sql(),
}

export const loadLanguage = (language: CodeLanguage): Promise<Extension> => loaders[language]()
