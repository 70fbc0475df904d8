import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A code block of a page that names a file: the whole file, or a change to it. */
export interface Step {
  readonly file: string
  readonly kind: 'whole' | 'change'
  readonly lines: readonly string[]
}

const BLOCK = /^```(\w+) (\S+)\n([^]*?)^```$/gm

/** The steps of a page, in order. */
export const recipeIn = (page: string): readonly Step[] =>
  [...page.matchAll(BLOCK)].map(([, language = '', file = '', body = '']) => ({
    file,
    kind: language === 'diff' ? 'change' : 'whole',
    lines: body.split('\n').slice(0, -1),
  }))

/** Applies a step in the folder `root`. Throws if the sources differ from what the page expects. */
export function takeStep(root: string, { file, kind, lines }: Step): void {
  const target = path.join(root, file)
  if (kind === 'whole') {
    if (existsSync(target))
      throw new Error(
        `${file} exists already, but a page that this test carries out makes it as its example. Choose another name.`,
      )
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, `${lines.join('\n')}\n`)
    return
  }
  const written = readFileSync(target, 'utf8').split('\n')
  let at = -1
  for (const line of lines) {
    const text = line.slice(1)
    if (line.startsWith('+')) {
      at += 1
      written.splice(at, 0, text)
      continue
    }
    at = written.indexOf(text)
    if (at < 0 || written.indexOf(text, at + 1) >= 0)
      throw new Error(`${file} does not have exactly one line “${text}”`)
    if (line.startsWith('-')) {
      written.splice(at, 1)
      at -= 1
    }
  }
  writeFileSync(target, written.join('\n'))
}

/** Folders that are not sources, or belong to others. */
const LEFT_OUT = new Set(['node_modules', 'test-results', 'playwright-report', 'coverage'])

/** Copies the sources to a separate folder, with links to the packages. */
export function copySources(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if ((name.startsWith('.') && name !== '.oxfmtrc.json') || LEFT_OUT.has(name)) continue
    cpSync(path.join(from, name), path.join(to, name), { recursive: true })
  }
  symlinkSync(path.join(from, 'node_modules'), path.join(to, 'node_modules'))
}
