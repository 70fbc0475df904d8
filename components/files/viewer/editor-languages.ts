import type { Extension } from '@codemirror/state'
import { loadPart } from '@/lib/i18n/load-part'
import type { CodeLanguage } from '@/lib/workspace/kind-of-file'

type Loader = () => Promise<Extension>

const script = (options: { readonly jsx?: boolean; readonly typescript?: boolean }): Loader => {
  return async () => (await loadPart(() => import('@codemirror/lang-javascript'))).javascript(options)
}

/** One chunk a language, loaded on first need. */
const loaders: Readonly<Record<CodeLanguage, Loader>> = {
  javascript: script({}),
  jsx: script({ jsx: true }),
  typescript: script({ typescript: true }),
  tsx: script({ jsx: true, typescript: true }),
  json: async () => (await loadPart(() => import('@codemirror/lang-json'))).json(),
  markdown: async () => (await loadPart(() => import('@codemirror/lang-markdown'))).markdown(),
  html: async () => (await loadPart(() => import('@codemirror/lang-html'))).html(),
  css: async () => (await loadPart(() => import('@codemirror/lang-css'))).css(),
  python: async () => (await loadPart(() => import('@codemirror/lang-python'))).python(),
  xml: async () => (await loadPart(() => import('@codemirror/lang-xml'))).xml(),
  yaml: async () => (await loadPart(() => import('@codemirror/lang-yaml'))).yaml(),
  sql: async () => (await loadPart(() => import('@codemirror/lang-sql'))).sql(),
}

export const loadLanguage = (language: CodeLanguage): Promise<Extension> => loaders[language]()
