import hljs from 'highlight.js/lib/core'
import type { LanguageFn } from 'highlight.js'
import { loadPart } from '@/lib/i18n/load-part'
import { type ColouredPiece, MAX_COLOURED_LENGTH } from './foreign-code'

type Loader = () => Promise<{ readonly default: LanguageFn }>

/** One chunk per language, loaded on first use. */
const languages: Readonly<Record<string, Loader>> = {
  bash: () => loadPart(() => import('highlight.js/lib/languages/bash')),
  c: () => loadPart(() => import('highlight.js/lib/languages/c')),
  cpp: () => loadPart(() => import('highlight.js/lib/languages/cpp')),
  csharp: () => loadPart(() => import('highlight.js/lib/languages/csharp')),
  css: () => loadPart(() => import('highlight.js/lib/languages/css')),
  diff: () => loadPart(() => import('highlight.js/lib/languages/diff')),
  go: () => loadPart(() => import('highlight.js/lib/languages/go')),
  ini: () => loadPart(() => import('highlight.js/lib/languages/ini')),
  java: () => loadPart(() => import('highlight.js/lib/languages/java')),
  javascript: () => loadPart(() => import('highlight.js/lib/languages/javascript')),
  json: () => loadPart(() => import('highlight.js/lib/languages/json')),
  kotlin: () => loadPart(() => import('highlight.js/lib/languages/kotlin')),
  markdown: () => loadPart(() => import('highlight.js/lib/languages/markdown')),
  php: () => loadPart(() => import('highlight.js/lib/languages/php')),
  python: () => loadPart(() => import('highlight.js/lib/languages/python')),
  ruby: () => loadPart(() => import('highlight.js/lib/languages/ruby')),
  rust: () => loadPart(() => import('highlight.js/lib/languages/rust')),
  sql: () => loadPart(() => import('highlight.js/lib/languages/sql')),
  swift: () => loadPart(() => import('highlight.js/lib/languages/swift')),
  typescript: () => loadPart(() => import('highlight.js/lib/languages/typescript')),
  xml: () => loadPart(() => import('highlight.js/lib/languages/xml')),
  yaml: () => loadPart(() => import('highlight.js/lib/languages/yaml')),
}

const aliases: Readonly<Record<string, string>> = {
  'c#': 'csharp',
  'c++': 'cpp',
  cjs: 'javascript',
  cs: 'csharp',
  h: 'c',
  htm: 'xml',
  html: 'xml',
  js: 'javascript',
  jsonc: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  md: 'markdown',
  mjs: 'javascript',
  patch: 'diff',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  yml: 'yaml',
  zsh: 'bash',
}

export type ColouredLine = readonly ColouredPiece[]

/** Lines of highlighted code, or null if the language is unknown or the text too long. */
export async function highlightLines(text: string, language: string): Promise<readonly ColouredLine[] | null> {
  const alias = language.toLowerCase()
  const name = aliases[alias] ?? alias
  const load = Object.hasOwn(languages, name) ? languages[name] : undefined
  if (!load || text.length > MAX_COLOURED_LENGTH) return null
  if (!hljs.getLanguage(name)) hljs.registerLanguage(name, (await load()).default)
  return colouredLines(hljs.highlight(text, { language: name, ignoreIllegals: true }).value)
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
const token = /<span class="([^"]*)">|<\/span>|&(amp|lt|gt|quot|#x27);|[^<&]+|[<&]/g

/** The highlighter's output (only spans and five entities) as pieces of one color, one list per line. */
export function colouredLines(html: string): readonly ColouredLine[] {
  const lines: ColouredPiece[][] = [[]]
  const classes: string[] = []
  const push = (text: string) => {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (part === '') continue
      const className = classes.at(-1)
      lines.at(-1)?.push(className ? { text: part, className } : { text: part })
    }
  }
  for (const match of html.matchAll(token)) {
    const [whole, className, entity] = match
    if (className !== undefined) classes.push(className)
    else if (whole === '</span>') classes.pop()
    else push(entity === undefined ? whole : (entities[entity] ?? whole))
  }
  return lines
}
