/** Endings of files by what models call their languages; all others are their own ending where they look like one. */
const endings: Readonly<Record<string, string>> = {
  bash: 'sh',
  'c++': 'cpp',
  'c#': 'cs',
  console: 'txt',
  csharp: 'cs',
  dockerfile: 'dockerfile',
  fsharp: 'fs',
  golang: 'go',
  haskell: 'hs',
  javascript: 'js',
  jsonc: 'json',
  julia: 'jl',
  kotlin: 'kt',
  latex: 'tex',
  make: 'mk',
  markdown: 'md',
  mermaid: 'mmd',
  node: 'js',
  objectivec: 'm',
  perl: 'pl',
  plaintext: 'txt',
  powershell: 'ps1',
  python: 'py',
  python3: 'py',
  ruby: 'rb',
  rust: 'rs',
  shell: 'sh',
  'shell-session': 'txt',
  text: 'txt',
  typescript: 'ts',
  yml: 'yaml',
  zsh: 'sh',
}

const endingOf = (language: string): string => {
  const name = language.toLowerCase()
  return endings[name] ?? (/^[a-z][a-z\d]{0,9}$/.test(name) ? name : 'txt')
}

/** `app.ts`, `src/app.ts`, `Dockerfile`: relative, without anything that climbs, hides or needs a quote. */
const path = /^(?:[\w@-][\w.@-]*\/){0,8}[\w@-][\w.@-]*\.[A-Za-z][A-Za-z\d]{0,9}$/
const named = /(?:title|file(?:name)?)\s*[=:]\s*["']?([^"'\s}]+)/i
/** A first line that is a comment and holds a path: `// src/app.ts`, `# app.py`, `<!-- index.html -->`. */
const comment = /^\s*(?:\/\/|#|--|;|%|\/\*|<!--)\s*(?:file(?:name)?:\s*)?(\S+?)\s*(?:\*\/|-->)?\s*$/i

const asPath = (name: string | undefined): string | null =>
  name !== undefined && path.test(name.replace(/^\.?\//, '')) ? name.replace(/^\.?\//, '') : null

/**
 * What a block of code would be called as a file: as its author says (```` ```ts title="src/app.ts" ````, ```` ```js:app.js ````,
 * a comment in its first line), else `code` with its language's ending.
 */
export function nameOfCode({ language, meta, text }: { language: string; meta: string | null; text: string }): string {
  const [, behind] = /^[\w+#-]+:(.+)$/.exec(language) ?? []
  const [, inMeta] = named.exec(meta ?? '') ?? []
  const [, inComment] = comment.exec(text.slice(0, 300).split('\n')[0] ?? '') ?? []
  return (
    asPath(inMeta) ??
    asPath(behind) ??
    asPath(language) ??
    asPath(inComment) ??
    `code.${endingOf(language.split(':')[0] ?? '')}`
  )
}
