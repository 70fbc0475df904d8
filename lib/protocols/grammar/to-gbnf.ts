import type { CharsNode, Grammar, ManyNode, RefNode, Prose, ProseStep } from './grammar'

/**
 * The grammar in GBNF, as llama.cpp accepts it and XGrammar reads as EBNF: one rule per line, `root` first. Every named
 * part is a rule; names consist of letters, digits and `-`.
 */
export function toGbnf(grammar: Grammar): string {
  const writer = new GbnfWriter()
  const root = writer.body(grammar)
  return [`root ::= ${root}`, ...writer.rules()].join('\n')
}

class GbnfWriter {
  private readonly written = new Map<string, string>()
  private readonly names = new Map<unknown, string>()

  rules(): readonly string[] {
    return [...this.written].map(([name, body]) => `${name} ::= ${body}`)
  }

  /** The right side of a rule: alternatives need no brackets. */
  body(node: Grammar): string {
    if (node.kind === 'alt') return node.items.map((item) => this.part(item)).join(' | ')
    if (node.kind === 'note' || node.kind === 'text') return this.body(node.of)
    return this.part(node)
  }

  private part(node: Grammar): string {
    switch (node.kind) {
      case 'lit':
        return quoted(node.text)
      case 'chars':
        return charClass(node)
      case 'seq':
        return this.sequence(node.items)
      case 'alt':
        return `(${this.body(node)})`
      case 'many':
        return this.many(node)
      case 'text':
      case 'note':
        return this.part(node.of)
      case 'ref':
        return this.rule(node)
      case 'prose':
        return this.prose(node.prose)
    }
  }

  private sequence(items: readonly Grammar[]): string {
    const parts = items.filter((item) => !(item.kind === 'lit' && item.text === '')).map((item) => this.part(item))
    return parts.length === 0 ? '""' : parts.join(' ')
  }

  private many({ of, min, max }: ManyNode): string {
    const inner = this.part(of)
    const unit = isOnePart(of) ? inner : `(${inner})`
    if (max === Infinity) return min === 0 ? `${unit}*` : `${unit}{${min},}`
    if (min === 0 && max === 1) return `${unit}?`
    return min === max ? `${unit}{${min}}` : `${unit}{${min},${max}}`
  }

  private rule(node: RefNode): string {
    const known = this.names.get(node)
    if (known !== undefined) return known
    const name = this.nameFor(node, node.name)
    this.written.set(name, this.body(node.of()))
    return name
  }

  private nameFor(key: unknown, wanted: string): string {
    const plain =
      wanted
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]+/g, '-')
        .replaceAll(/^-+|-+$/g, '') || 'part'
    let name = plain
    for (let n = 2; this.written.has(name) || name === 'root'; n++) name = `${plain}-${n}`
    this.names.set(key, name)
    // Reserves the rule's place in order while the part is still being written.
    this.written.set(name, '""')
    return name
  }

  /** An automaton as right recursion: one rule per state. */
  private prose(prose: Prose): string {
    const known = this.names.get(prose)
    if (known !== undefined) return known
    const names = prose.states.map((_, i) => this.nameFor(`${i} of a prose`, i === 0 ? 'prose' : `p${i.toString(36)}`))
    this.names.set(prose, names[prose.start] ?? '""')
    for (const [i, state] of prose.states.entries()) {
      const name = names[i]
      if (name === undefined) continue
      const steps = state.steps.map((step) => this.step(step, names))
      this.written.set(name, [...(state.ends ? ['""'] : []), ...steps].join('|'))
    }
    return names[prose.start] ?? '""'
  }

  private step({ on, body, to }: ProseStep, names: readonly string[]): string {
    const next = names[to] ?? '""'
    // There are thousands of rules, sent with every request, so unneeded spaces are omitted.
    return body ? `${charClass(on)} ${this.part(body)} ${next}` : `${charClass(on)}${next}`
  }
}

/** Whether a repetition operator applies to all of it. */
function isOnePart(node: Grammar): boolean {
  if (node.kind === 'note' || node.kind === 'text') return isOnePart(node.of)
  return node.kind !== 'seq' && node.kind !== 'many'
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' }

const quoted = (text: string): string =>
  `"${Array.from(text, (char) => (char === '"' ? '\\"' : escaped(char))).join('')}"`

function charClass({ not, ranges }: CharsNode): string {
  const only = ranges.length === 1 && !not ? ranges[0] : undefined
  if (only && only[0] === only[1]) return quoted(String.fromCodePoint(only[0]))
  const parts = ranges.map(([from, to]) => (from === to ? inClass(from) : `${inClass(from)}-${inClass(to)}`))
  return `[${not ? '^' : ''}${parts.join('')}]`
}

function inClass(code: number): string {
  const char = String.fromCodePoint(code)
  return ']^-['.includes(char) ? `\\x${hex(code, 2)}` : escaped(char)
}

/**
 * Escapes characters that can't be in a grammar as they are: control characters, blanks other than the space, lone
 * surrogates.
 */
function escaped(char: string): string {
  const named = NAMED[char]
  if (named !== undefined) return named
  const code = char.codePointAt(0) ?? 0
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`
  return code > 0x7f && /[^\p{L}\p{N}\p{P}\p{S}]/u.test(char)
    ? `\\${code > 0xffff ? `U${hex(code, 8)}` : `u${hex(code, 4)}`}`
    : char
}

const hex = (code: number, digits: number): string => code.toString(16).toUpperCase().padStart(digits, '0')
