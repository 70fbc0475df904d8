import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A code block of the README that names a file: all of it, or what is added to it. */
export interface Step {
  readonly file: string
  readonly kind: 'whole' | 'added'
  readonly lines: readonly string[]
}

const BLOCK = /^```(\w+) (\S+)\n([^]*?)^```$/gm

/** The steps of a page's section, in order. */
export function recipeIn(page: string, heading: string): readonly Step[] {
  const start = page.indexOf(`\n## ${heading}\n`)
  if (start < 0) throw new Error(`the page has no section “${heading}”`)
  const end = page.indexOf('\n## ', start + 1)
  return [...page.slice(start, end < 0 ? undefined : end).matchAll(BLOCK)].map(
    ([, language = '', file = '', body = '']) => ({
      file,
      kind: language === 'diff' ? 'added' : 'whole',
      lines: body.split('\n').slice(0, -1),
    }),
  )
}

/** Takes a step in the folder `root`; throws where the sources are not as the page says. */
export function takeStep(root: string, { file, kind, lines }: Step): void {
  const target = path.join(root, file)
  if (kind === 'whole') {
    if (existsSync(target)) throw new Error(`${file} exists already`)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, `${lines.join('\n')}\n`)
    return
  }
  const written = readFileSync(target, 'utf8').split('\n')
  let at = -1
  for (const line of lines) {
    const text = line.slice(1)
    if (line.startsWith('+')) written.splice(++at, 0, text)
    else {
      at = written.indexOf(text)
      if (at < 0 || written.indexOf(text, at + 1) >= 0) throw new Error(`${file} has no one line “${text}”`)
    }
  }
  writeFileSync(target, written.join('\n'))
}

/** What is no source, or another's. */
const LEFT_OUT = new Set(['node_modules', 'test-results', 'playwright-report', 'coverage'])

/** The sources in a folder of their own, with links to the packages. */
export function copySources(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (name.startsWith('.') || LEFT_OUT.has(name)) continue
    cpSync(path.join(from, name), path.join(to, name), { recursive: true })
  }
  symlinkSync(path.join(from, 'node_modules'), path.join(to, 'node_modules'))
}
