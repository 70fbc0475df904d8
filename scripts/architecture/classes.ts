/** The location of a class in a source file. */
export interface ClassUse {
  readonly name: string
  readonly line: number
}

const opening = /\b(?:className=|(?:cx|recipe)\()/g

/**
 * The classes that a source file uses: every text in a `className`, and in the arguments of `cx` and `recipe`. A text
 * joined from parts (`btn${look}`) gives only its whole words.
 */
export function classesIn(source: string): readonly ClassUse[] {
  const found: ClassUse[] = []
  for (const match of source.matchAll(opening)) {
    const start = match.index + match[0].length
    const from = match[0].endsWith('(') ? start - 1 : start
    for (const { text, at } of textsIn(source, from, match[0] === 'recipe(')) {
      const line = source.slice(0, at).split('\n').length
      for (const name of text.split(/\s+/)) if (name !== '') found.push({ name, line })
    }
  }
  return found
}

interface Text {
  readonly text: string
  readonly at: number
}

/**
 * The texts of an attribute value or a bracketed expression that starts at `start`. In a recipe (`values`) an object
 * contains classes, elsewhere the choice of one.
 */
function textsIn(source: string, start: number, values = false): readonly Text[] {
  const first = source[start] ?? ''
  if (first === '"' || first === "'") return [read(source, start).text]
  const texts: Text[] = []
  let depth = 0
  for (let at = start; at < source.length; at += 1) {
    const char = source[at] ?? ''
    if (char === '"' || char === "'") {
      const { text, end } = read(source, at)
      if (!isCompared(source, at, end)) texts.push(text)
      at = end
    } else if (char === '`') {
      const { pieces, end } = readTemplate(source, at)
      texts.push(...pieces)
      at = end
    } else if (char === '/' && source[at + 1] === '/') {
      at = source.indexOf('\n', at)
    } else if (char === '/' && source[at + 1] === '*') {
      at = source.indexOf('*/', at) + 1
    } else if (!values && /^\{\s*(?:\w+|'[^']*')\s*:/.test(source.slice(at, at + 60))) {
      at = closing(source, at)
    } else if ('{(['.includes(char)) {
      depth += 1
    } else if ('})]'.includes(char)) {
      depth -= 1
      if (depth === 0) break
    }
  }
  return texts
}

/** A compared text, a lookup key or a property name is not a class. */
function isCompared(source: string, at: number, end: number): boolean {
  const before = source.slice(Math.max(0, at - 12), at)
  const after = source.slice(end + 1, end + 5)
  return (
    /[!=]==?\s*$/.test(before) || /^\s*[!=]==/.test(after) || (/^\s*:(?!.*\?)/.test(after) && /[{,]\s*$/.test(before))
  )
}

function read(source: string, at: number): { readonly text: Text; readonly end: number } {
  const quote = source[at] ?? ''
  let end = at + 1
  while (end < source.length && source[end] !== quote) end += source[end] === '\\' ? 2 : 1
  return { text: { text: source.slice(at + 1, end), at }, end }
}

/**
 * The whole words of a template; words next to an expression are only parts. Texts inside its expressions count too.
 */
function readTemplate(source: string, at: number): { readonly pieces: readonly Text[]; readonly end: number } {
  const pieces: Text[] = []
  let from = at + 1
  let afterHole = false
  const add = (end: number, beforeHole: boolean) => {
    let text = source.slice(from, end)
    if (afterHole) text = text.replace(/^\S+/, '')
    if (beforeHole) text = text.replace(/\S+$/, '')
    pieces.push({ text, at: from })
  }
  let end = from
  while (end < source.length && source[end] !== '`') {
    if (source.startsWith('${', end)) {
      add(end, true)
      const inside = textsIn(source, end + 1)
      pieces.push(...inside)
      end = closing(source, end + 1)
      from = end + 1
      afterHole = true
    }
    end += 1
  }
  add(end, false)
  return { pieces, end }
}

/** The position of the closing bracket for the one that opens at `at`. */
function closing(source: string, at: number): number {
  let depth = 0
  for (let end = at; end < source.length; end += 1) {
    const char = source[end] ?? ''
    if (char === '"' || char === "'") end = read(source, end).end
    else if (char === '`') end = readTemplate(source, end).end
    else if (char === '{') depth += 1
    else if (char === '}') {
      depth -= 1
      if (depth === 0) return end
    }
  }
  return source.length
}

/** The classes in a style sheet's selectors. */
export function classesStyledIn(css: string): ReadonlySet<string> {
  const bare = css.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const names = new Set<string>()
  for (const [, prelude = ''] of bare.matchAll(/([^{};]+)\{/g)) {
    if (prelude.trim().startsWith('@')) continue
    for (const [, name = ''] of prelude.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)) names.add(name)
  }
  return names
}
