'use client'

import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import { visibleText, splitLines } from '@/lib/base/untrusted-text/foreign-text'
import { useEffect, useRef, useState, type RefObject, use } from 'react'
import { ForeignCode, type ColouredPiece } from '@/components/ui/code/foreign-code'
import { recipe } from '@/components/ui/recipes/recipe'
import { TextButton } from '@/components/ui/controls/button'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { downloadBlob } from '@/components/ui/data/download-blob'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { CodeCache, RunCode, useAsked } from './code-cache'

/** File extensions by the language names that models use. Any other name is its own extension if it looks like one. */
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

/** `a.ts`, `src/a.ts`, `Dockerfile`: relative, without `..`, hidden files or names that need quotes. */
const path = /^(?:[\w@-][\w.@-]*\/){0,8}[\w@-][\w.@-]*\.[A-Za-z][A-Za-z\d]{0,9}$/
const named = /(?:title|file(?:name)?)\s*[=:]\s*["']?([^"'\s}]+)/i
/** A first line that is a comment with a path: `// src/a.ts`, `# app.py`, `<!-- index.html -->`. */
const comment = /^\s*(?:\/\/|#|--|;|%|\/\*|<!--)\s*(?:file(?:name)?:\s*)?(\S+?)\s*(?:\*\/|-->)?\s*$/i

const asPath = (name: string | undefined): string | null =>
  name !== undefined && path.test(name.replace(/^\.?\//, '')) ? name.replace(/^\.?\//, '') : null

/**
 * The file name for a code block: as given by its author (```` ```ts title="src/a.ts" ````, ```` ```js:app.js ````, a
 * comment in its first line), else `code` with its language's extension.
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

interface CodeHeadProps {
  readonly language: string
  readonly meta: string | null
  readonly text: string
  readonly growing: boolean
  readonly wraps: boolean
  readonly onWrap: () => void
}

/** The actions on a code block. They stay visible in a block that is taller than the window. */
function CodeHead({ language, meta, text, growing, wraps, onWrap }: CodeHeadProps) {
  const keep = use(CodeCache)
  const run = use(RunCode)
  const [keeps, setKeeps] = useState(false)
  const name = nameOfCode({ language, meta, text })
  const download = () => downloadBlob(name, new Blob([text], { type: 'text/plain;charset=utf-8' }))
  return (
    <>
      <figcaption className="sticky top-0 z-above flex min-h-8 flex-wrap items-center gap-x-3 border-b border-line bg-code px-3.5 text-sm text-code-muted">
        <span className="me-auto">{language === '' ? t('reading.code.text') : <ForeignText text={language} />}</span>
        <TextButton
          aria-pressed={wraps}
          aria-label={t('reading.code.wrap-lines')}
          className={wraps ? 'text-text' : undefined}
          onClick={onWrap}
        >
          {t('reading.code.wrap')}
        </TextButton>
        {/* Not offered for an unfinished block. */}
        {growing ? null : (
          <>
            {run && isPage(language) ? (
              <TextButton aria-label={t('reading.code.run-page')} onClick={() => run({ name, text })}>
                {t('reading.code.run')}
              </TextButton>
            ) : null}
            {keep ? (
              <TextButton aria-expanded={keeps} aria-label={t('reading.code.save-as')} onClick={() => setKeeps(!keeps)}>
                {t('reading.code.save')}
              </TextButton>
            ) : null}
            <TextButton
              aria-label={t('reading.code.download-as', { name: visibleText(name, 'name') })}
              onClick={download}
            >
              {t('reading.code.download')}
            </TextButton>
          </>
        )}
        <CopyButton className="inline-block first-letter:uppercase" text={() => text} />
      </figcaption>
      {keep && keeps ? keep({ name, text, onClose: () => setKeeps(false) }) : null}
    </>
  )
}

const isPage = (language: string): boolean => /^html?(?::|$)/i.test(language)

/** How much of a long block is shown at first; a block with only a few more lines is not shortened. */
const fold = { lines: 30, slack: 6, chars: 8_000 } as const
/** What one click adds: as much as a page can render at once. */
const step = { lines: 2_000, chars: 100_000 } as const

const paper = recipe('px-3.5 py-3 font-mono text-mono text-code-text tab-2', {
  wraps: { default: 'overflow-x-auto', on: 'wrap-anywhere whitespace-pre-wrap' },
})

function useFirstLines(text: string) {
  const head = firstLines(text, fold.lines, fold.chars)
  const [{ times }, ask] = useAsked(head.text)
  const isLong = head.lines > fold.lines + fold.slack || text.length > fold.chars
  const shown = !isLong
    ? firstLines(text, fold.lines + fold.slack, fold.chars)
    : times === 0
      ? head
      : firstLines(text, step.lines * times, step.chars * times)
  const more = shown.hidden ? () => ask({ times: times + 1 }) : null
  const fewer = isLong && times > 0 ? () => ask({ times: 0 }) : null
  return { shown, more, fewer, key: head.text }
}

export interface CodeFenceProps {
  readonly language: string
  /** The rest of the info string after the language. */
  readonly meta: string | null
  readonly text: string
  readonly growing: boolean
}

/** A code block of a message. It is highlighted once it is finished, near the viewport, and its language has loaded. */
export function CodeFence({ language, meta, text: whole, growing }: CodeFenceProps) {
  const { shown, more, fewer, key } = useFirstLines(whole)
  const [{ wraps }, ask] = useAsked(key)
  const { text } = shown
  const figure = useRef<HTMLElement>(null)
  const colours = useColours(figure, text, growing && !shown.hidden ? '' : language)
  const lines = splitLines(text, language)
  return (
    <figure className="overflow-clip rounded-lg border border-line bg-code" ref={figure}>
      <CodeHead {...{ language, meta, growing, wraps }} text={whole} onWrap={() => ask({ wraps: !wraps })} />
      <pre className={paper({ wraps })} tabIndex={0} dir="ltr" aria-label={labelOf(language)}>
        <code className="bg-transparent p-0 [font:inherit]">
          {lines.map((line, index) => (
            <span key={index}>
              <ForeignCode text={line.text} end={line.end} pieces={colours?.[index]} />
              {index < lines.length - 1 ? '\n' : ''}
            </span>
          ))}
        </code>
      </pre>
      {more ? <Fold onClick={more}>{moreWords(shown.lines, whole.length, growing)}</Fold> : null}
      {fewer && !more ? <Fold onClick={fewer}>{t('reading.code.fewer')}</Fold> : null}
    </figure>
  )
}

const Fold = ({ onClick, children }: { readonly onClick: () => void; readonly children: string }) => (
  <TextButton className="block w-full border-t border-line px-3.5 py-2 text-start" onClick={onClick}>
    {children}
  </TextButton>
)

const labelOf = (language: string): string =>
  language ? t('reading.code.of', { language: visibleText(language, 'name') }) : t('reading.code')

type Colours = readonly (readonly ColouredPiece[])[]

function useColours(figure: RefObject<HTMLElement | null>, text: string, language: string): Colours | null {
  const [coloured, setColoured] = useState<{ readonly text: string; readonly lines: Colours } | null>(null)
  useEffect(() => {
    if (!figure.current || language === '' || typeof IntersectionObserver === 'undefined') return
    let wanted = true
    const colour = async () => {
      const { highlightLines } = await loadPart(() => import('@/components/ui/code/highlight'))
      const plain = splitLines(text, language)
        .map((line) => line.text)
        .join('\n')
      const lines = await highlightLines(plain, language)
      if (wanted && lines) setColoured({ text, lines })
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        observer.disconnect()
        // Without its chunk, the code stays plain.
        void colour().catch(() => {})
      },
      { rootMargin: '400px' },
    )
    observer.observe(figure.current)
    return () => {
      wanted = false
      observer.disconnect()
    }
  }, [figure, text, language])
  return coloured?.text === text ? coloured.lines : null
}

function moreWords(lines: number, chars: number, growing: boolean): string {
  const isOneLine = lines === 1
  const isAll = lines <= step.lines && chars <= step.chars
  const more = isAll
    ? isOneLine
      ? t('reading.code.all-characters', { chars })
      : t('reading.code.all-lines', { lines })
    : isOneLine
      ? t('reading.code.more-characters', { chars })
      : t('reading.code.more-lines', { lines })
  return growing ? t('reading.code.so-far', { more }) : more
}

interface FirstLines {
  readonly text: string
  /** The number of lines in the whole text. */
  readonly lines: number
  readonly hidden: boolean
}

/** The first lines of a text, up to `maxChars` characters, because one line may be as long as a file. */
export function firstLines(text: string, maxLines: number, maxChars: number): FirstLines {
  let lines = 1
  let end = text.length
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (lines === maxLines) end = at
    lines += 1
  }
  const shown = text.slice(0, Math.min(end, maxChars))
  return { text: shown, lines, hidden: shown.length < text.length }
}
